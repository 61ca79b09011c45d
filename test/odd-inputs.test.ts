import { expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import type { Adapter } from "../src/adapters/_contract.ts";
import { nativeInput } from "../src/dispatch/input-keys.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";

/**
 * Inputs with more in them than a tool takes: whatever a model writes beside it, guards see the
 * command and the path that the tool will use. wire-parity.test.ts shows that awk says the same.
 */

const adapterOf = (id: string): Adapter => ADAPTERS.find((one) => one.id === id)!;

/** The way in of a wire whose first path for the member is taken. */
function sent(adapter: Adapter, tool: string, input: unknown): Buffer {
  const payload: Record<string, unknown> = { cwd: "/p", workspaceRoots: ["/p"] };
  const put = (name: string, value: unknown): void => {
    const keys = (adapter.wire?.fields[name]?.[0] ?? name).split(".");
    let holder = payload;
    for (const key of keys.slice(0, -1)) holder = (holder[key] ??= {}) as Record<string, unknown>;
    holder[keys.at(-1)!] = value;
  };
  put("tool_name", tool);
  put("tool_input", input);
  return Buffer.from(JSON.stringify(payload));
}

function seen(id: string, tool: string, input: unknown): unknown {
  const adapter = adapterOf(id);
  const { paths, payload } = decodeOccurrence(
    adapter,
    "PreToolUse",
    sent(adapter, tool, input),
    "",
  );
  const { command } = payload["tool_input"] as Record<string, unknown>;
  return paths.length > 0 ? paths : command;
}

const FORCE = "git push --force";
const ARGV = { command: "git", args: ["push", "--force"] };

test.each([
  ["cline", { commands: [FORCE] }, FORCE],
  ["cline", { commands: [FORCE, ""] }, `${FORCE}\n`],
  ["cline", { commands: [FORCE], command: "ls" }, FORCE],
  ["cline", { commands: null, cmd: FORCE }, FORCE],
  ["cline", { commands: [], command: FORCE, cmd: "ls" }, FORCE],
  ["cline", { commands: [["git", "push", "--force"]] }, FORCE],
  [
    "cline",
    { commands: [{ note: "x", args: ["push", "--force"], command: "git" }, 1] },
    `${FORCE}\n`,
  ],
  ["cline", { args: ["push", "--force"], note: "x", command: "git" }, FORCE],
  ["cline", [ARGV], FORCE],
  ["cline", { shell_command: FORCE }, FORCE],
  ["cline", { script: FORCE }, FORCE],
  ["copilot", { command: FORCE }, FORCE],
  ["copilot", JSON.stringify({ command: FORCE }), FORCE],
  ["cursor", JSON.stringify({ command: FORCE }, null, 1), FORCE],
] as const)("the command that %s will run: %j", (id, input, command) => {
  const shell = { cline: "run_commands", copilot: "bash", cursor: "Shell" }[id];
  expect(seen(id, shell, input)).toBe(command);
});

test.each([
  ["cline", "editor", { path: ".env", file_path: "a" }, ["/p/.env"]],
  ["cline", "editor", { path: ".env", file_path: null }, ["/p/.env"]],
  ["cline", "editor", { path: null, file_path: ".env" }, ["/p/.env"]],
  ["cline", "read_files", { files: [{ note: "x", path: ".env" }, { path: "" }] }, ["/p/.env"]],
  ["cline", "read_files", { files: [{ start: 1, file_path: ".env", note: "x" }] }, ["/p/.env"]],
  ["cline", "read_files", { path: "a", files: [{ path: ".env" }, "b"] }, ["/p/.env", "/p/b"]],
  ["copilot", "edit", { path: ".env", file_path: "a" }, ["/p/.env"]],
  ["copilot", "edit", JSON.stringify({ path: ".env" }), ["/p/.env"]],
  ["gemini", "read_many_files", { include: [".env", ""] }, ["/p/.env"]],
  ["gemini", "read_many_files", { include: [".env"], file_path: "a" }, ["/p/.env"]],
  ["vscode", "create_file", { filePath: ".env", file_path: "a" }, ["/p/.env"]],
  ["vscode", "edit_notebook_file", { filePath: ".env" }, ["/p/.env"]],
  [
    "vscode",
    "multi_replace_string_in_file",
    { replacements: [{ oldString: "a", filePath: ".env", newString: "b" }, { filePath: "c" }] },
    ["/p/.env", "/p/c"],
  ],
  ["kiro", "fs_read", { operations: [{ mode: "Line", path: ".env" }], path: "a" }, ["/p/.env"]],
  ["kiro", "fs_read", { path: ".env" }, ["/p/.env"]],
] as const)("the files that %s's %s will touch: %j", (id, tool, input, paths) => {
  expect(seen(id, tool, input)).toEqual(paths);
});

test.each([
  // What was kept aside has its own name again.
  [
    { path: "a", file_path: "b" },
    { file_path: "c", native_file_path: "b" },
    { path: "c", file_path: "b" },
  ],
  // And a name that is taken already is not taken twice.
  [
    { path: "a", file_path: "b", native_file_path: 1 },
    { file_path: "c", native_native_file_path: "b", native_file_path: 1 },
    { path: "c", file_path: "b", native_file_path: 1 },
  ],
  [ARGV, { ...ARGV, command: FORCE }, ARGV],
  [ARGV, { ...ARGV, command: "ls" }, { command: "ls", args: [] }],
  [
    { all: [{ at: 1, path: "a" }, { path: "b" }] },
    { file_path: "c\nb" },
    { all: [{ at: 1, path: "c" }, { path: "b" }] },
  ],
  [{ all: [{ path: "a" }] }, { file_path: "b\nc" }, { all: [{ path: "b" }, { path: "c" }] }],
])("%j with %j goes back as %j", (native, next, want) => {
  const keys = { path: "file_path", "all[].path": "file_path", "command+args[]": "command" };
  const got = nativeInput(JSON.stringify(next), JSON.stringify(native), keys);
  expect(JSON.parse(got)).toEqual(want);
});

test("an input that came as a text goes back as the object", () => {
  const native = JSON.stringify('{"path":"ü"}');
  expect(nativeInput('{"file_path":"b"}', native, { path: "file_path" })).toBe('{"path":"b"}');
});
