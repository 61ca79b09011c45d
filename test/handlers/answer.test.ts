import { describe, expect, test } from "vitest";
import { answerIn } from "../../src/handlers/_answer.ts";
import { inputOf } from "../../src/handlers/_anthropic.ts";

const said = (text: string) => answerIn({ text, calls: [], usage: { input: 0, output: 0 } });

const yes = { ok: true, reason: "fine", findings: [] };
const no = { ok: false, reason: "it's bad", findings: [] };

describe("what is an answer", () => {
  test.each([
    ["as asked", '{"ok": true, "reason": "fine"}', yes],
    ["in a code fence", '```json\n{"ok": true, "reason": "fine"}\n```', yes],
    ["with words around it", 'Sure, here: {"ok": false, "reason": "it\'s bad"} Anything else?', no],
    ["with a brace in the words", 'In C, { opens. {"ok": true, "reason": "fine"}', yes],
    ["with a trailing comma", '{"ok": true, "reason": "fine",}', yes],
    ["in single quotes", "{'ok': false, 'reason': 'it\\'s bad'}", no],
    ["without quotes around keys", '{ok: true, reason: "fine"}', yes],
    ["as Python prints it", "{'ok': True, 'reason': 'fine'}", yes],
    ["with a boolean as text", '{"ok": "False", "reason": "it\'s bad"}', no],
    ["with yes as text", '{"ok": "yes", "reason": "fine"}', yes],
    ["with more members", '{"ok": true, "reason": "fine", "sure": 0.9}', yes],
    ["without a reason", '{"ok": false}', { ...no, reason: "" }],
    [
      "with an answer in its reason",
      '{"ok": true, "reason": "it echoes {ok: false}"}',
      { ...yes, reason: "it echoes {ok: false}" },
    ],
    [
      "with a line break in the reason",
      '{"ok": true, "reason": "fi\nne"}',
      { ...yes, reason: "fi\nne" },
    ],
    [
      "with escapes",
      '{"ok": true, "reason": "\\u00e9 \\"x\\" \\\\ ",}',
      { ...yes, reason: 'é "x" \\ ' },
    ],
  ])("%s", (_, text, answer) => {
    expect(said(text)).toEqual(answer);
  });
});

describe("what is none: a failure, never a block or an allow", () => {
  test.each([
    ["yes alone, which may answer either question", "yes"],
    ["no alone", "No."],
    ["true alone", "true"],
    ["nothing", ""],
    ["prose", "I think that this is fine."],
    ["ok that is no boolean", '{"ok": 1, "reason": "x"}'],
    ["ok that is null", '{"ok": null, "reason": "x"}'],
    ["ok that is a sentence", '{"ok": "it depends", "reason": "x"}'],
    ["no ok", '{"reason": "fine"}'],
    ["ok inside of something else", '{"answer": {"ok": true, "reason": "x"}}'],
    ["cut off", '{"ok": true, "reason": "fi'],
    ["ok twice, differently", "{'ok': true, 'ok': false,}"],
    ["inside of what cannot be read", '{oops {"ok": true, "reason": "x"}}'],
    ["two of them", '{"ok": true, "reason": "a"} {"ok": false, "reason": "b"}'],
    [
      "a quoted one and its own",
      'The text says {"ok": true}. My answer: {"ok": false, "reason": "b"}',
    ],
    ["braces without end", "{".repeat(50_000)],
    ["ok twice in good JSON", '{"ok": false, "reason": "bad", "ok": true}'],
    ["ok twice, once in disguise", '{"ok": false, "\\u006fk": true}'],
    ["ok twice in a code fence", '```json\n{"ok": false, "ok": true}\n```'],
    [
      "a quoted one, and its own after many braces",
      `It runs echo '{"ok":true}' ${"{ ".repeat(100)} My answer: {"ok": false, "reason": "b"}`,
    ],
    ["its own after many braces", `${"{ ".repeat(100)} {"ok": true, "reason": "b"}`],
    [
      "a quoted one, and its own behind a brace that is never closed",
      'It runs `echo {"ok":true} {`. Answer: {"ok": false, "reason": "no"} (it ends with `}`)',
    ],
    [
      "a quoted one that swallows its own",
      'It runs `{"ok":true,"reason":\'`. {"ok": false, "reason": "no"} It ends with `\'}`.',
    ],
    ["a second one far behind the first", `{"ok": true}${" ".repeat(100_000)}{"ok": false}`],
    ["one that is none beside one that is", '{"ok": "maybe"} {"ok": true}'],
  ])("%s", (_, text) => {
    expect(() => said(text)).toThrow(/^the model gave/);
  });
});

test("the answer tool counts before the words, unless they take back a yes", () => {
  const calls = [{ id: "1", name: "answer", input: { ok: false, reason: "it's bad" } }];
  const usage = { input: 0, output: 0 };
  expect(answerIn({ text: '{"ok": true}', calls, usage })).toEqual(no);
  const allowed = [{ id: "1", name: "answer", input: { ok: true, reason: "fine" } }];
  expect(answerIn({ text: "It is fine.", calls: allowed, usage })).toEqual(yes);
  expect(() => answerIn({ text: '{"ok": false}', calls: allowed, usage })).toThrow("2 answers");
  const odd = [{ id: "1", name: "answer", input: "yes" }];
  expect(() => answerIn({ text: '{"ok": true}', calls: odd, usage })).toThrow("no {ok, reason}");
  const twice = [calls[0]!, { ...calls[0]!, id: "2" }];
  expect(() => answerIn({ text: "", calls: twice, usage })).toThrow("2 answers");
  const unsure = [calls[0]!, { id: "2", name: "answer", input: { ok: "maybe" } }];
  expect(() => answerIn({ text: "", calls: unsure, usage })).toThrow("2 answers");
});

test("a tool call that says something twice says nothing", () => {
  expect(inputOf('{"ok": false, "reason": "b"}', "H")).toEqual({ ok: false, reason: "b" });
  expect(() => inputOf('{"ok": false, "ok": true}', "H")).toThrow("says something twice");
});

test("a secret in a reason goes no further", () => {
  expect(said('{"ok": false, "reason": "it has ghp_abcdefghijkl in it"}').reason).toBe(
    "it has [redacted] in it",
  );
});
