import { expect, test } from "vitest";
import { widthOf } from "../../src/cli/_paint.ts";
import { table, wrappedTable } from "../../src/cli/_table.ts";

const ROWS = [
  [
    "no-force-push",
    "PreToolUse",
    "holds in Claude Code 2.1.325; never fires in Codex CLI: why not",
  ],
  ["stop", "Stop", "holds"],
];

const longest = (text: string): number =>
  Math.max(...text.split("\n").map((line) => widthOf(line)));

test("a table is cut where the terminal ends, a wrapped one says everything", () => {
  expect(table(ROWS, { width: 60 })).not.toContain("why not");
  expect(wrappedTable(ROWS, { width: 60 }).split("\n")).toEqual([
    "no-force-push  PreToolUse  holds in Claude Code 2.1.325;",
    "                           never fires in Codex CLI: why not",
    "stop           Stop        holds",
  ]);
});

test.each([40, 60, 80, 120])("no line is longer than %i columns", (width) => {
  const text = wrappedTable(ROWS, { indent: 2, width });
  expect(longest(text)).toBeLessThanOrEqual(width);
  expect(text.replace(/\s+/g, " ")).toContain("Codex CLI: why not");
});

test("without a width nothing is wrapped", () => {
  expect(wrappedTable(ROWS, { indent: 2 })).toBe(table(ROWS, { indent: 2 }));
});
