import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { needs, shebang, syntaxError } from "../../src/compile/needs.ts";
import { templates } from "../../src/compile/templates.ts";
import { project } from "./_project.ts";

test.each([
  ["python3 hooks/guard.py", ["python3", "hooks/guard.py"]],
  ["python guard.py --x", ["python", "./guard.py"]],
  ['python3 "$CLAUDE_PROJECT_DIR"/.claude/x.py', ["python3", "{project}/.claude/x.py"]],
  ['"${CLAUDE_PROJECT_DIR}/.claude/hooks/my hook.sh" a', ["{project}/.claude/hooks/my hook.sh"]],
  ["node $ANYHOOK_PROJECT_DIR/a.mjs", ["node", "{project}/a.mjs"]],
  ["bash $HOME/a.sh", ["bash", "{home}/a.sh"]],
  ["~/bin/check", ["{home}/bin/check"]],
  ["/usr/bin/python3 -u a.py", ["/usr/bin/python3", "./a.py"]],
  ["FOO=1 ./run.sh | tee log", ["./run.sh"]],
  ["python a.py || exit 0", ["python", "./a.py"]],
  ["deno run a.ts", ["deno", "./a.ts"]],
  ["python -m pytest", ["python"]],
  ["bash -c 'exit 2'", ["bash"]],
  ["node --import tsx a.ts", ["node"]],
  ["node $FILE", ["node"]],
  ["node {file}", ["node"]],
  ["python $(which x)", ["python"]],
  ["prettier --write {file}", []],
  ["cd x && ./run.sh", []],
  ["[ -f a.py ] && python a.py", []],
  ["if broken (", []],
])("shell: %s", (command, expected) => {
  expect(needs("shell", command)).toEqual(expected);
});

test("exec: the same for an argument list", () => {
  expect(needs("exec", '["python3", "a.py"]')).toEqual(["python3", "./a.py"]);
  expect(needs("exec", '["/opt/x", "y"]')).toEqual(["/opt/x"]);
  expect(needs("exec", '["prettier", "{file}"]')).toEqual(["prettier"]);
  expect(needs("exec", '["{tool_input.command}"]')).toEqual([]);
  expect(needs("prompt", "python a.py")).toEqual([]);
});

test.each([
  ["#!/bin/sh\n", "/bin/sh", false],
  ["#! /bin/bash -eu\n", "/bin/bash", false],
  ["#!/usr/bin/env python3\n", "python3", false],
  ["#!/usr/bin/env -S node --no-warnings\n", "node", false],
  ["#!/usr/bin/env -S A=b deno run\n", "deno", false],
  ["#!/bin/sh\r\n", "/bin/sh", true],
  ["# no shebang\n", "", false],
])("shebang %j", (text, interpreter, carriageReturn) => {
  expect(shebang(text)).toEqual({ interpreter, carriageReturn });
});

test("a script needs its interpreter", () => {
  const it = project({ "a.py": "#!/usr/bin/env python3\n" });
  expect(needs("script", it.path("a.py"))).toEqual(["python3"]);
});

test("syntax is checked by the script's own shell", async () => {
  const it = project({
    "bad.sh": "#!/bin/sh\nif true; then\n",
    "good.sh": "#!/bin/sh\ntrue\n",
    "x.py": "#!/bin/python\nif (\n",
  });
  chmodSync(it.path("bad.sh"), 0o644);
  const check = (name: string): Promise<string> =>
    syntaxError(it.path(name), shebang(it.read(name)));
  expect(await check("bad.sh")).toMatch(/^line 3: \S/);
  expect(await check("good.sh")).toBe("");
  expect(await check("x.py")).toBe("");
});

test.each([
  ["fmt {file}", 'fmt "${ANYHOOK_ARG_1}"', ["file"]],
  [
    'fmt "{file}" {tool_name} {file}',
    'fmt "${ANYHOOK_ARG_1}" "${ANYHOOK_ARG_2}" "${ANYHOOK_ARG_1}"',
    ["file", "tool_name"],
  ],
  ["fmt 'a {file}'", `fmt 'a '"\${ANYHOOK_ARG_1}"''`, ["file"]],
  ["echo $(cat {file}) # {args}", 'echo $(cat "${ANYHOOK_ARG_1}") # {args}', ["file"]],
  ["echo {tool_input.command}", 'echo "${ANYHOOK_ARG_1}"', ["tool_input.command"]],
  ["cat <<EOF\n{result}\nEOF", "cat <<EOF\n${ANYHOOK_ARG_1}\nEOF", ["result"]],
  ["echo ${file} {other} {a,b}", "echo ${file} {other} {a,b}", []],
])("templates are data: %s", (command, script, args) => {
  expect(templates(command)).toEqual({ script, args, problem: "" });
});

test.each([
  "sh -c 'cat {file}'",
  "eval {args}",
  "awk '{result}' x",
  'python3 -c "print({file})"',
  "( {file}",
  'timeout 5 sh -c "fmt {file}"',
  "find . -exec sh -c 'fmt {file}' \\;",
  "sudo env A=1 bash -ec 'fmt {file}'",
  "trap 'rm {file}' EXIT",
  "bash <<EOF\nfmt {file}\nEOF",
  "sh <<< {tool_input.command}",
  "echo fmt {file} | sh",
  "echo fmt {file} | sort | bash -s",
  "sed -i 's/a/{tool_name}/' x",
  "echo $(({prompt} + 1))",
  "nohup ssh host fmt {file}",
])("a placeholder inside code is refused: %s", (command) =>
  expect(templates(command).problem).not.toBe(""),
);

test.each([
  'awk -v f={file} "{print f}" x',
  "echo {file} | python3 check.py",
  "sed -n 1p {file}",
  "grep -e {prompt} x",
  "cat <<EOF | wc -l\n{prompt}\nEOF",
  "bash check.sh {file}",
])("and beside it, it is not: %s", (command) => expect(templates(command).problem).toBe(""));
