import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { CLI, makeProject, type Project } from "../_dispatch.ts";

const projects: Project[] = [];
afterEach(() => projects.splice(0).forEach((one) => one.remove()));

/** A machine with one client that says its version and takes no notice of any hook. */
export function deafMachine(script: string): {
  project: Project;
  env: NodeJS.ProcessEnv;
  tmp: string;
} {
  const project = makeProject({
    ".anyhook/hooks.json": JSON.stringify({
      hooks: [{ name: "watch", events: ["PreToolUse"], command: "true" }],
    }),
    "home/.claude/settings.json": '{ "theirs": true }\n',
  });
  projects.push(project);
  const [bin, tmp] = [join(project.base, "bin"), join(project.base, "tmp")];
  for (const folder of [bin, tmp]) mkdirSync(folder);
  writeFileSync(
    join(bin, "claude"),
    `#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit 0\n${script}\n`,
  );
  chmodSync(join(bin, "claude"), 0o755);
  const env = { ...project.env, PATH: `${bin}:${project.env["PATH"]}`, TMPDIR: tmp };
  return { project, env, tmp };
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function anyhook(
  { project, env }: ReturnType<typeof deafMachine>,
  args: readonly string[],
  meanwhile: (pid: number) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: project.root, env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  meanwhile(child.pid!);
  return new Promise((resolve) =>
    child.on("close", (status) => resolve({ status, stdout, stderr })),
  );
}
