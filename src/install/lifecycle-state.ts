import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isObject, parseObject, safeName } from "../dispatch/occurrence.ts";

/**
 * Which sessions were begun by hand, one file per thread: `.started` while it lasts, `.stopped`
 * afterwards. Making and renaming a file can succeed for one caller only, so that of any number of
 * concurrent starts or stops exactly one is performed.
 */
export interface Session {
  readonly harness: string;
  readonly thread: string;
  readonly project: string;
  /** ISO times; `stopped` is empty while the session lasts. */
  readonly started: string;
  readonly stopped: string;
}

export interface Thread {
  readonly folder: string;
  readonly file: string;
  readonly harness: string;
  readonly thread: string;
}

export const threadAt = (store: string, harness: string, thread: string): Thread => {
  const folder = join(store, "lifecycle", harness);
  // Two ids may look alike once they are safe for a file name.
  const mark = createHash("sha256").update(thread).digest("hex").slice(0, 12);
  return { folder, file: join(folder, `${safeName(thread)}-${mark}`), harness, thread };
};

/** undefined when somebody else has begun it, or it never ended. */
export function begin(thread: Thread, project: string, now: Date): Session | undefined {
  const { harness, thread: id } = thread;
  const session: Session = {
    harness,
    thread: id,
    project,
    started: now.toISOString(),
    stopped: "",
  };
  mkdirSync(thread.folder, { recursive: true, mode: 0o700 });
  if (!create(`${thread.file}.started`, session)) return undefined;
  rmSync(`${thread.file}.stopped`, { force: true });
  rmSync(`${thread.file}.held`, { force: true });
  return session;
}

/** With all that is in it: whoever looks while a file is written would take it for a damaged one. */
function create(file: string, session: Session): boolean {
  const draft = `${file}.${process.pid}`;
  const fd = openSync(draft, "w", 0o600);
  try {
    writeSync(fd, `${JSON.stringify({ v: 1, ...session })}\n`);
    fsyncSync(fd);
    place(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(fd);
    rmSync(draft, { force: true });
  }
}

/** Fails when there is one already. Not every file system has links. */
function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}

/** undefined when there is nothing to end, or somebody else has ended it. */
export function end(thread: Thread, now: Date): Session | undefined {
  const { session } = look(thread);
  if (!session || session.stopped !== "") return undefined;
  const ended = { ...session, stopped: now.toISOString() };
  const draft = `${thread.file}.${process.pid}`;
  try {
    renameSync(`${thread.file}.started`, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  rmSync(`${thread.file}.stopped`, { force: true });
  create(`${thread.file}.stopped`, ended);
  rmSync(draft, { force: true });
  return ended;
}

export interface Looked {
  readonly session: Session | undefined;
  /** A state file that could not be read and was set aside; empty when all is well. */
  readonly damaged: string;
}

/** What is known about a thread; a damaged file is set aside and never believed. */
export function look(thread: Thread): Looked {
  let damaged = "";
  for (const state of ["started", "stopped"] as const) {
    const file = `${thread.file}.${state}`;
    const text = read(file);
    if (text === undefined) continue;
    const session = sessionIn(text, thread, state);
    if (session) return { session, damaged };
    damaged = `${file}.damaged`;
    setAside(file, damaged);
  }
  return { session: undefined, damaged };
}

/** Somebody else may have done it meanwhile. */
function setAside(file: string, to: string): void {
  try {
    renameSync(file, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    // Something else is there: as damaged as can be.
    if (code === "EISDIR") return "";
    throw error;
  }
}

const isTime = (value: unknown): value is string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

function sessionIn(
  text: string,
  thread: Thread,
  state: "started" | "stopped",
): Session | undefined {
  const data = parseObject(text);
  const { v, harness, thread: id, project, started, stopped } = data;
  if (!isObject(data) || v !== 1 || harness !== thread.harness || id !== thread.thread)
    return undefined;
  if (typeof project !== "string" || !isTime(started)) return undefined;
  if (state === "started" ? stopped !== "" : !isTime(stopped)) return undefined;
  return { harness, thread: id, project, started, stopped: stopped as string };
}

/** Held back by a Stop hook before: the hook is told, so that it need not hold back for ever. */
export const wasHeld = (thread: Thread): boolean => read(`${thread.file}.held`) !== undefined;

export const markHeld = (thread: Thread): void => {
  closeSync(openSync(`${thread.file}.held`, "a", 0o600));
};
