import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { makeProject, type Project } from "../_dispatch.ts";
import { programOf, type Driver, type Pinned, type Taken } from "./_client.ts";
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
  readonly taken: readonly Taken[];
  /** Processes that outlived the client by more than a moment; they have been ended. */
  readonly leftovers: readonly string[];
}

export interface Script {
  readonly prompt?: string;
  readonly turns: readonly Turn[];
  /** Where the client is started, relative to the project. */
  readonly from?: string;
}

/** The project that every client works in: a copy of test/clients/project, with its own home. */
export function makeClientProject(): Project {
  const project = makeProject();
  cpSync(join(import.meta.dirname, "project"), project.root, { recursive: true });
  mkdirSync(join(project.base, "tmp"));
  mkdirSync(join(project.root, "packages/web"), { recursive: true });
  return project;
}

/** One headless session of the real client: it asks the scripted model until that has no more calls. */
export async function runSession(
  client: Pinned,
  driver: Driver,
  project: Project,
  { prompt = "Do your work.", turns, from = "." }: Script,
): Promise<Session> {
  const model = await startModel(turns);
  try {
    driver.prepare(project, model.url);
    const env = { ...project.env, ...driver.env(model.url), ...enclosure(project) };
    const cwd = join(project.root, from);
    const ended = await runProgram(programOf(client), driver.argv(prompt), cwd, env);
    const taken = driver.taken(ended.stdout, ended.stderr);
    return { ...ended, taken, requests: model.requests, leftovers: await endLeftovers(project) };
  } finally {
    await model.close();
  }
}

/** Nothing is left in the system's temp folder, and nobody outside is ever asked. */
const enclosure = (project: Project): Record<string, string> => ({
  TMPDIR: join(project.base, "tmp"),
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1",
});

export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Session, "stdout" | "stderr" | "status" | "ms">> {
  const began = performance.now();
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => end(-child.pid!), LONGEST);
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      end(-child.pid!);
      resolve(code);
    });
  });
  const [status, stdout, stderr] = await Promise.all([
    exit,
    text(child.stdout),
    text(child.stderr),
  ]).finally(() => clearTimeout(timer));
  return { stdout, stderr, status, ms: Math.round(performance.now() - began) };
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** The dispatcher's watchdog looks up ten times a second, so a moment has to be allowed. */
async function endLeftovers(project: Project): Promise<string[]> {
  for (let tries = 0; tries < 40 && leftoversOf(project).length > 0; tries++) await sleep(50);
  return leftoversOf(project).map(({ pid, command }) => {
    end(pid);
    return command;
  });
}

/** Whoever has the project's home; known only where there is /proc. */
function leftoversOf(project: Project): { pid: number; command: string }[] {
  return attempt(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => about(pid, "environ").includes(`HOME=${project.home}`))
    .map((pid) => ({ pid: Number(pid), command: about(pid, "cmdline").join(" ") }))
    .filter(({ command }) => command !== "");
}

const about = (pid: string, file: string): string[] =>
  attempt(() => readFileSync(`/proc/${pid}/${file}`, "utf8"), "").split("\0");

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
