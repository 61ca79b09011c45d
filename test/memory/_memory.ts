import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Item } from "../../src/memory/_memory.ts";
import { openDatabase } from "../../src/memory/database.ts";
import type { Store } from "../../src/memory/store.ts";
import { REPO, type Project } from "../_dispatch.ts";

export const MEMORY = join(REPO, "dist/memory.cjs");

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** One verb of dist/memory.cjs, as the pack starts it. */
export function verb(
  project: Project,
  name: string,
  payload: Readonly<Record<string, unknown>> | string,
  env: Readonly<Record<string, string>> = {},
  prefix: readonly string[] = [],
): Ran {
  const argv = [...prefix, process.execPath, MEMORY, name];
  const { stdout, stderr, status } = spawnSync(argv[0]!, argv.slice(1), {
    cwd: project.root,
    env: { ...project.env, ...env },
    input: typeof payload === "string" ? payload : JSON.stringify(payload),
    encoding: "utf8",
  });
  return { stdout, stderr, status };
}

/** The same, without waiting. */
export function verbLater(
  project: Project,
  name: string,
  payload: Readonly<Record<string, unknown>>,
) {
  const child = spawn(process.execPath, [MEMORY, name], {
    cwd: project.root,
    env: project.env,
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<{ status: number | null; stderr: string }>((resolve) => {
    child.on("close", (status) => resolve({ status, stderr }));
  });
  return { child, ended };
}

export interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly status: string;
  readonly scope: string;
  readonly seen: number;
}

export function list(project: Project, ...args: string[]): Listed[] {
  const { stdout, stderr } = project.cli("memory", "list", "--json", "-n", "100000", ...args);
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout) as { memories: Listed[] }).memories;
}

export const texts = (project: Project, ...args: string[]): string[] =>
  list(project, ...args)
    .map(({ text }) => text)
    .toSorted();

/** All bytes of all files below a folder, to look for what must not be there. */
export const bytesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readIfThere(join(entry.parentPath, entry.name)))
    .join("\n");

/** The dispatcher clears its own files away while we look. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

export const item = (text: string, change: Partial<Item> = {}): Item => ({
  ...{ kind: "decision", text, scope: "project", status: "accepted", author: "user", paths: [] },
  ...{ harness: "", session: "s1", branch: "", folder: "", key: "", evidence: text },
  at: "2026-01-01T00:00:00.000Z",
  ...change,
});

export async function tempStore(): Promise<Store & { readonly base: string; remove(): void }> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-memory-")));
  const project = await openDatabase(join(base, "memory.db"));
  const user = await openDatabase(join(base, "user.db"));
  return {
    ...{ base, project, user },
    close() {
      project.close();
      user.close();
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Lines of a transcript: somebody speaks, a tool answers, the agent answers. */
export const line = (by: string, content: unknown, more = {}): string =>
  `${JSON.stringify({ type: by, message: { role: by, content }, timestamp: "2026-01-01T00:00:00.000Z", ...more })}\n`;
export const result = (content: unknown): string =>
  line("user", [{ type: "tool_result", tool_use_id: "t", content }]);
export const answer = (text: string): string => line("assistant", [{ type: "text", text }]);
