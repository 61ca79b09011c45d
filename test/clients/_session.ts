import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { makeProject, type Project } from "../_dispatch.ts";
import { programOf, type Driver, type Pinned } from "./_client.ts";
import { startModel, type Request, type Turn } from "./_model.ts";

/** Longer than any session here takes; a client that is still there then is ended. */
const LONGEST = 60_000;

export interface Session {
  readonly stdout: string;
  readonly stderr: string;
  /** null: it had to be ended. */
  readonly status: number | null;
  readonly ms: number;
  readonly requests: readonly Request[];
}

/** The project that both clients work in: test/clients/project, with a home of its own. */
export function makeClientProject(): Project {
  const project = makeProject();
  cpSync(join(import.meta.dirname, "project"), project.root, { recursive: true });
  mkdirSync(join(project.base, "tmp"));
  return project;
}

export interface Script {
  readonly prompt?: string;
  readonly turns: readonly Turn[];
  /** Where the client is started, relative to the project. */
  readonly from?: string;
}

/** One headless session of the real client: it asks the scripted model until that stops. */
export async function runSession(
  client: Pinned,
  driver: Driver,
  project: Project,
  { prompt = "Do your work.", turns, from = "." }: Script,
): Promise<Session> {
  const model = await startModel(turns);
  try {
    driver.prepare(project, model.url);
    const env = { ...project.env, TMPDIR: join(project.base, "tmp"), ...driver.env(model.url) };
    const cwd = join(project.root, from);
    const ended = await run(programOf(client), driver.argv(prompt), cwd, env);
    return { ...ended, requests: model.requests };
  } finally {
    await model.close();
  }
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Omit<Session, "requests">> {
  const began = performance.now();
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => signal(-child.pid!), LONGEST);
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", resolve);
    }),
  ]);
  clearTimeout(timer);
  const ms = Math.round(performance.now() - began);
  if (child.pid !== undefined) signal(-child.pid);
  return { stdout, stderr, status, ms };
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Nobody of that group is left.
  }
}

/** Ends what a session left behind: processes with the project's home. Returns what they were. */
export function endLeftovers(project: Project): string[] {
  return leftovers(project).map(({ pid, command }) => {
    signal(pid);
    return command;
  });
}

function leftovers(project: Project): { pid: number; command: string }[] {
  const read = (pid: string, name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  };
  const pids = (() => {
    try {
      return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    } catch {
      return [];
    }
  })();
  return pids
    .filter((pid) => read(pid, "environ").split("\0").includes(`HOME=${project.home}`))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ") }));
}
