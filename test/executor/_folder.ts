import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { HookExecutor, type HookExecutorOptions, type HookWarning } from "../../src/index.ts";

export interface Folder {
  readonly root: string;
  write(path: string, text: string): string;
}

const folders: string[] = [];
const executors: HookExecutor[] = [];

afterEach(async () => {
  await Promise.all(executors.splice(0).map((executor) => executor.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function makeFolder(files: Readonly<Record<string, string>> = {}): Folder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-executor-")));
  folders.push(root);
  const write = (path: string, text: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith("#!")) chmodSync(file, 0o755);
    return file;
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write };
}

export type Watched = HookExecutor & { readonly warnings: HookWarning[] };

/** Closed after the test; collects its warnings. */
export function makeExecutor(options: HookExecutorOptions): Watched {
  const warnings: HookWarning[] = [];
  const executor = new HookExecutor({ onWarning: (one) => warnings.push(one), ...options });
  executors.push(executor);
  return Object.assign(executor, { warnings });
}

export const bash = (command: string): object => ({
  session_id: "s1",
  tool_name: "Bash",
  tool_input: { command },
});
