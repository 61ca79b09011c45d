import { expect, test } from "vitest";
import { corrections } from "../../src/memory/corrections.ts";
import { tags } from "../../src/memory/tags.ts";

test.each([
  ["#decision use pnpm", [{ tag: "decision", scope: "project", text: "use pnpm" }]],
  ["#Decision: use pnpm", [{ tag: "decision", scope: "project", text: "use pnpm" }]],
  [
    "#constraint(user) never push to main",
    [{ tag: "constraint", scope: "user", text: "never push to main" }],
  ],
  [
    "#remember[src/api] ids are ULIDs",
    [{ tag: "remember", scope: "src/api", text: "ids are ULIDs" }],
  ],
  ["#preference(branch): two spaces", [{ tag: "preference", scope: "branch", text: "two spaces" }]],
  [
    "Retry on 502 is needed. #incident",
    [{ tag: "incident", scope: "project", text: "Retry on 502 is needed." }],
  ],
  [
    "- #remember one\n* #decision two things",
    [
      { tag: "remember", scope: "project", text: "one" },
      { tag: "decision", scope: "project", text: "two things" },
    ],
  ],
  [
    "#decision first thing #remember second thing",
    [
      { tag: "decision", scope: "project", text: "first thing" },
      { tag: "remember", scope: "project", text: "second thing" },
    ],
  ],
  [
    "#remember call `make #all` first",
    [{ tag: "remember", scope: "project", text: "call `make #all` first" }],
  ],
])("%j", (text, expected) => {
  expect(tags(text)).toEqual(expected);
});

test.each([
  ["in a fence", "```\n#decision not this\n```"],
  ["in a fence within a fence", "```\n```js\n#decision not this\n```"],
  ["in a comment", "a <!-- #decision not this --> b <!--\n#decision nor this\n-->"],
  ["in backquotes", "write `#decision text` to tag"],
  ["in a quotation", "> #decision somebody else's"],
  ["another tag", "#decisions are hard, #todo later"],
  ["in the middle of a word", "issue#decision none"],
  ["without a text", "#remember"],
  ["a heading", "# decision"],
])("no tag: %s", (_, text) => {
  expect(tags(text)).toEqual([]);
  expect(tags(`${text}\n\n#decision but this`)).toContainEqual({
    tag: "decision",
    scope: "project",
    text: "but this",
  });
});

test("a fence that is closed ends", () => {
  expect(tags("```\n#decision a b c\n```\n#decision d e f").map(({ text }) => text)).toEqual([
    "d e f",
  ]);
});

test("what is too long is cut, behind what is looked at for secrets", () => {
  const [one] = tags(`#remember ${"x".repeat(5000)}`);
  expect(one!.text.length).toBeGreaterThan(2000);
  expect(one!.text.length).toBeLessThan(5000);
});

test.each([
  ["No, do not use npm, use pnpm instead.", ["No, do not use npm, use pnpm instead."]],
  ["Looks good. We never commit generated files. Go on.", ["We never commit generated files."]],
  ["I said two spaces, not four.", ["I said two spaces, not four."]],
  ["Please add a test for the parser.", []],
  ["Should we use npm instead of pnpm?", []],
])("corrections: %s", (text, expected) => {
  expect(corrections(text)).toEqual(expected);
});
