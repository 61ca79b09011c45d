import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  chmodSync,
  writeFileSync,
} from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { BEGIN, END, renderBlock, writeSystemBlocks } from "../../src/compile/system-block.ts";
import { project } from "./_project.ts";

const nodes = (...bodies: string[]) =>
  bodies.map((body, order) => ({ name: `n${order}`, order, file: "/n.md", line: 4, body }));

const textOf = (rendering: ReturnType<typeof renderBlock>): string => {
  if (rendering.to !== "write") throw new Error(`would ${rendering.to}`);
  return rendering.text;
};

const ORIGINALS: [string, string][] = [
  ["ordinary", "# Title\n\nText.\n"],
  ["no final newline", "# Title"],
  ["many final newlines", "# Title\n\n\n"],
  ["CRLF", "# Title\r\n\r\nText.\r\n"],
  ["CRLF without final newline", "# Title\r\nText."],
  ["mixed line ends", "a\r\nb\nc\n"],
  ["empty", ""],
  ["one newline", "\n"],
  ["blank lines", "\n\n\n"],
  ["lone carriage return at the end", "a\r"],
  ["markers inside a line", `see ${BEGIN} and ${END}\n`],
];

test.each(ORIGINALS)("%s: comes back byte for byte", (_, original) => {
  const once = textOf(renderBlock(original, nodes("\nRule one.\n", "Rule two.")));
  expect(once).toContain("Rule one.");
  expect(once.startsWith(original)).toBe(true);
  expect(renderBlock(once, nodes("\nRule one.\n", "Rule two."))).toEqual({ to: "keep" });
  const changed = textOf(renderBlock(once, nodes("Rule three.")));
  expect(changed).not.toContain("Rule one.");
  expect(renderBlock(changed, [])).toEqual({ to: "write", text: original });
  expect(renderBlock(original, [])).toEqual({ to: "keep" });
});

test("an empty file gets a block with one blank line above it and a newline at its end", () => {
  const lines = textOf(renderBlock("", nodes("Rule."))).split("\n");
  expect(lines).toEqual(["", BEGIN, expect.any(String), "Rule.", END, ""]);
});

test("a text that no file takes is said, until one is there or asked for", () => {
  const it = project({});
  const codes = (asked: string[] = []) =>
    writeSystemBlocks(it.root, nodes("Rule."), asked).diagnostics.map(({ code }) => code);
  expect(codes()).toEqual(["unrendered"]);
  it.write({ "AGENTS.md": "" });
  expect(codes()).toEqual([]);
  expect(codes()).toEqual([]);
  expect(it.read("AGENTS.md")).toContain("Rule.");
  it.remove("AGENTS.md");
  expect(codes(["CLAUDE.md"])).toEqual([]);
});

test("line ends inside the block are those of the file", () => {
  const text = textOf(renderBlock("a\r\n", nodes("x\ny")));
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(textOf(renderBlock("a\n", nodes("x\r\ny")))).not.toContain("\r");
});

test("a file that we made is deleted with its block", () => {
  const made = textOf(renderBlock(undefined, nodes("Rule.")));
  expect(made.split("\n")).toEqual([BEGIN, expect.any(String), "Rule.", END, ""]);
  expect(renderBlock(made, [])).toEqual({ to: "delete" });
  expect(renderBlock(`${made}Mine.\n`, [])).toEqual({ to: "write", text: "Mine.\n" });
});

test("text that was added below the block later stays", () => {
  const once = textOf(renderBlock("Top.\n", nodes("Rule.")));
  const added = `${once}Bottom.\n`;
  expect(textOf(renderBlock(added, nodes("New."))).endsWith(`New.\n${END}\nBottom.\n`)).toBe(true);
  expect(renderBlock(added, [])).toEqual({ to: "write", text: "Top.\nBottom.\n" });
});

test.each([
  ["begin without end", `a\n${BEGIN}\nb\n`, 2],
  ["end without begin", `a\n\n${END}\n`, 3],
  ["wrong way round", `${END}\n${BEGIN}\n`, 2],
  ["twice", `${BEGIN}\n${END}\n${BEGIN}\n${END}\n`, 1],
])("%s: refused", (_, text, line) => {
  expect(renderBlock(text, nodes("x"))).toEqual({ to: "refuse", line });
  expect(renderBlock(text, [])).toEqual({ to: "refuse", line });
});

test("a body cannot end the block", () => {
  const once = textOf(renderBlock("a\n", nodes(`x\n${END}\n${BEGIN}\ny`)));
  expect(renderBlock(once, [])).toEqual({ to: "write", text: "a\n" });
});

test("only files that exist or are asked for are written, and only when something changed", () => {
  const it = project({ "AGENTS.md": "Mine.\n" });
  const first = writeSystemBlocks(it.root, nodes("Rule."), ["GEMINI.md"]);
  expect(first.written).toEqual([it.path("AGENTS.md"), it.path("GEMINI.md")]);
  expect(existsSync(it.path("CLAUDE.md"))).toBe(false);
  const before = statSync(it.path("AGENTS.md"));
  expect(writeSystemBlocks(it.root, nodes("Rule."), ["GEMINI.md"]).written).toEqual([]);
  expect(statSync(it.path("AGENTS.md")).ino).toBe(before.ino);
  // No longer asked for: the file was ours alone.
  expect(writeSystemBlocks(it.root, nodes("Rule."), []).written).toEqual([it.path("GEMINI.md")]);
  writeSystemBlocks(it.root, [], []);
  expect([it.read("AGENTS.md"), existsSync(it.path("GEMINI.md"))]).toEqual(["Mine.\n", false]);
});

test("mode, link and odd bytes survive; broken markers are left alone and reported", () => {
  const it = project({ "GEMINI.md": `a\n${BEGIN}\n` });
  const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x0a]);
  writeFileSync(it.path("AGENTS.md"), bytes);
  chmodSync(it.path("AGENTS.md"), 0o640);
  symlinkSync("AGENTS.md", it.path("CLAUDE.md"));
  const { written, diagnostics } = writeSystemBlocks(it.root, nodes("Rüle."), []);
  expect(written).toEqual([it.path("AGENTS.md")]);
  expect(lstatSync(it.path("CLAUDE.md")).isSymbolicLink()).toBe(true);
  expect(statSync(it.path("AGENTS.md")).mode & 0o777).toBe(0o640);
  expect(it.read("AGENTS.md")).toContain("Rüle.");
  expect(diagnostics.map(({ file, line, code }) => [file, line, code])).toEqual([
    [it.path("GEMINI.md"), 2, "broken-markers"],
  ]);
  writeSystemBlocks(it.root, [], []);
  expect(readFileSync(it.path("AGENTS.md"))).toEqual(bytes);
  expect(it.read("GEMINI.md")).toBe(`a\n${BEGIN}\n`);
});

test("nodes with `surface: system` come out of the compiler, in order", async () => {
  const it = project({
    ".anyhook/settings.json": '{ "system_files": ["AGENTS.md"] }',
    ".anyhook/b.md": "---\nsurface: system\norder: 1\n---\n\nFirst.\n",
    ".anyhook/deep/er/a.md": "---\nsurface: system\norder: 2\n---\nSecond.\n",
    ".anyhook/c.md": "---\nsurface: system\nstatus: pending\n---\nNever.\n",
    "user/d.md": "---\nsurface: system\n---\nNot in a project's file.\n",
  });
  const { system, systemFiles, hooks } = await it.compile();
  expect(system).toEqual([
    { name: "b", order: 1, file: it.path(".anyhook/b.md"), line: 5, body: "\nFirst.\n" },
    { name: "a", order: 2, file: it.path(".anyhook/deep/er/a.md"), line: 5, body: "Second.\n" },
  ]);
  expect([systemFiles, hooks]).toEqual([["AGENTS.md"], []]);
});

test("what leads out of the project is not written, and no pipe is waited for", () => {
  const it = project({ "inside/REAL.md": "mine\n" });
  const outside = `${it.root}-victim.md`;
  onTestFinished(() => rmSync(outside, { force: true }));
  writeFileSync(outside, "precious\n");
  symlinkSync(outside, it.path("AGENTS.md"));
  symlinkSync("inside/REAL.md", it.path("CLAUDE.md"));
  expect(spawnSync("mkfifo", [it.path("GEMINI.md")]).status).toBe(0);
  expect(writeSystemBlocks(it.root, [], []).diagnostics).toEqual([]);
  const { written, diagnostics } = writeSystemBlocks(it.root, nodes("Rule."), ["AGENTS.md"]);
  expect(readFileSync(outside, "utf8")).toBe("precious\n");
  expect(written).toEqual([it.path("CLAUDE.md")]);
  expect(it.read("inside/REAL.md")).toContain("Rule.");
  expect(diagnostics.map(({ file, message }) => [file, message])).toEqual([
    [it.path("AGENTS.md"), "leads out of the project: system nodes are not rendered into it"],
    [it.path("GEMINI.md"), "is not a regular file: system nodes are not rendered into it"],
  ]);
});
