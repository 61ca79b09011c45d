import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { tomlEditor } from "../../src/install/edit-toml.ts";

/** Kimi CLI writes `hooks = []` by itself: TOML takes no `[[hooks]]` beside it. */

const editor = tomlEditor("config.toml");
const at = ["hooks"];
const ours = { event: "Stop", command: 'ours ] # , "x"', timeout: 30 };
const isOurs = (_: readonly string[], entry: unknown): "all" | readonly string[] =>
  (entry as { command?: string }).command === ours.command ? "all" : [];

test.each([
  ["empty", "# a\nhooks = []\n\n[b]\nhooks = []\n", 0],
  ["empty, with something between and behind", "hooks = [ \n ] # none\n[b]\n", 0],
  ["with an element, comments and a comma", "hooks = [\n  # a\n  { command = 'x' }, # ]\n]\n", 1],
  ["a quoted key", '"hooks" = []\n', 0],
])("a list in one statement: %s", (_, text, others) => {
  const { text: after, ...came } = editor.add(text, [
    { at, value: ours },
    { at, value: { ...ours, event: "SessionEnd" } },
  ]);
  expect(parse(after)["hooks"]).toHaveLength(others + 2);
  expect((parse(after)["hooks"] as unknown[])[others]).toEqual(ours);
  expect(editor.remove(after, [at], isOurs, came)).toBe(text);
});

test("a comma that came with us stays: it changes nothing", () => {
  const text = "hooks = [{ command = 'x' }]\n";
  const { text: after, ...came } = editor.add(text, [{ at, value: ours }]);
  expect(parse(editor.remove(after, [at], isOurs, came))).toEqual(parse(text));
});

test("somebody's element behind a comment is not lost in it", () => {
  const text = `hooks = [ # c\n  { command = '${ours.command}' }, { command = 'x' }\n]\n`;
  expect(() => editor.remove(text, [at], isOurs, undefined)).toThrow("edited safely");
});
