import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { harvest } from "../../src/memory/harvest.ts";
import { nextChunk, type Cursor } from "../../src/memory/transcript.ts";
import { REPO } from "../_dispatch.ts";

const base = mkdtempSync(join(tmpdir(), "anyhook-transcript-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const origin = { harness: "h", session: "s1", branch: "main", folder: "" };
const recorded = (harness: string): string =>
  join(REPO, "test/fixtures", harness, "transcripts/session.jsonl");
const linesIn = (file: string): string[] => readFileSync(file, "utf8").split("\n").filter(Boolean);

describe.each(["claude-code", "codex"])("a transcript that %s wrote", (harness) => {
  const { items, signals } = harvest(linesIn(recorded(harness)), origin, "now");

  test("gives its tags, by whom and when, and corrections as candidates", () => {
    expect(items.map(({ kind, text, status, author }) => ({ kind, text, status, author }))).toEqual(
      [
        {
          ...{ kind: "decision", text: "the API talks JSON over HTTP, never XML" },
          ...{ status: "accepted", author: "user" },
        },
        {
          ...{ kind: "preference", text: "No, do not use npm, use pnpm instead." },
          ...{ status: "candidate", author: "user" },
        },
        {
          ...{ kind: "remember", text: "the test database listens on port 5433" },
          ...{ status: "accepted", author: "assistant" },
        },
      ],
    );
    for (const { at } of items) expect(at).toMatch(/^2026-11-15T10:47:5/);
  });

  test("gives the calls that failed", () => {
    expect(signals.map(({ outcome, subject }) => ({ outcome, subject }))).toEqual([
      { outcome: "failed", subject: "echo one; exit 3" },
      { outcome: "failed", subject: "echo one; exit 3" },
    ]);
  });
});

test("what tools printed, summaries and reminders are nobody's word; a user's line beside them is", () => {
  const user = (content: unknown, more = {}): string =>
    JSON.stringify({ type: "user", message: { role: "user", content }, ...more });
  const lines = [
    user([{ type: "tool_result", tool_use_id: "t", content: "#decision from a web page" }]),
    user("#decision from a summary", { isCompactSummary: true }),
    user("#decision from a subagent", { isSidechain: true }),
    user("<system-reminder>\n#decision from a reminder</system-reminder>"),
    user("#decision from a person"),
  ];
  expect(harvest(lines, origin, "now").items.map(({ text }) => text)).toEqual(["from a person"]);
});

test("lines of other harnesses: a role and a text are enough, and what is no JSON is skipped", () => {
  const lines = [
    '{"role":"user","content":"#decision one thing"}',
    '{"type":"gemini","content":[{"text":"#remember two things"}]}',
    '{"torn": "#decision three',
    "null",
  ];
  expect(harvest(lines, origin, "now").items.map(({ text }) => text)).toEqual([
    "one thing",
    "two things",
  ]);
});

test("an edit that is put back is a signal, and another edit is not", () => {
  const edit = (id: string, from: string, to: string): string =>
    JSON.stringify({
      type: "assistant",
      message: {
        role: "assistant",
        content: [
          {
            type: "tool_use",
            id,
            name: "Edit",
            input: { file_path: "a.ts", old_string: from, new_string: to },
          },
        ],
      },
    });
  const tools = (...lines: string[]): string[] =>
    harvest(lines, origin, "now").signals.map(({ tool }) => tool);
  expect(tools(edit("1", "a", "b"), edit("2", "b", "a"))).toEqual(["Edit", "Edit", "reverted"]);
  expect(tools(edit("1", "a", "b"), edit("2", "b", "c"))).toEqual(["Edit", "Edit"]);
});

describe("reading on", () => {
  const read = (file: string, cursor?: Cursor, chunkBytes = 1000) =>
    nextChunk(file, cursor, { chunkBytes });

  test("only what is new, and never half a line", () => {
    const file = join(base, "grows.jsonl");
    writeFileSync(file, "one\ntwo\nthr");
    const first = read(file);
    expect(first.lines).toEqual(["one", "two"]);
    expect(read(file, first.after).lines).toEqual([]);
    appendFileSync(file, "ee\nfour\n");
    const second = read(file, first.after);
    expect(second.lines).toEqual(["three", "four"]);
    expect(read(file, second.after)).toMatchObject({ lines: [], isLast: true });
  });

  test("from the start when the file was replaced or cut", () => {
    const file = join(base, "rotated.jsonl");
    writeFileSync(file, "old one\nold two\n");
    const { after } = read(file);
    writeFileSync(join(base, "other"), "new one\nnew two\nnew three\n");
    renameSync(join(base, "other"), file);
    expect(read(file, after).lines).toEqual(["new one", "new two", "new three"]);
    const long = read(file).after;
    writeFileSync(file, "short\n");
    expect(read(file, long).lines).toEqual(["short"]);
    // Same length and inode, other text.
    writeFileSync(file, "SHORT\n");
    expect(read(file, { ...read(file).after, head: "0" }).lines).toEqual(["SHORT"]);
  });

  test("in chunks, also when a line is longer than one", () => {
    const file = join(base, "long.jsonl");
    const lines = ["a".repeat(50), "b".repeat(5000), "é".repeat(700), "c"];
    writeFileSync(file, `${lines.join("\n")}\n`);
    const got: string[] = [];
    let cursor: Cursor | undefined;
    for (let n = 0; n < 20; n++) {
      const chunk = read(file, cursor, 600);
      got.push(...chunk.lines);
      cursor = chunk.after;
      if (chunk.isLast) break;
    }
    expect(got).toEqual(lines);
  });

  test("a file that nobody writes any more ends without a newline", () => {
    const file = join(base, "final.jsonl");
    writeFileSync(file, "one\ntwo");
    expect(nextChunk(file, undefined, { isFinal: true }).lines).toEqual(["one", "two"]);
    expect(nextChunk(file, undefined).lines).toEqual(["one"]);
  });
});
