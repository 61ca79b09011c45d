import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isObject, parseObject } from "../dispatch/occurrence.ts";
import type { Item } from "./_memory.ts";

/** One line of the queue. Redacted by whoever appends it: nothing else ever reaches the disk. */
export interface Envelope {
  readonly v: 1;
  readonly recorded_at: string;
  /** The event id: a line with an id that was there before is the same event. */
  readonly id: string;
  /** The tool call's own id, by which the transcript knows it too. */
  readonly call: string;
  readonly session: string;
  readonly harness: string;
  readonly event: string;
  readonly tool: string;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly outcome: "ok" | "failed";
  readonly subject: string;
  /** The rest of the payload, cut to 4 KiB. */
  readonly payload: string;
  /** What was tagged while the database could not be written. */
  readonly items?: readonly Item[];
}

export interface Limits {
  /** A segment is closed beyond this size; the oldest closed ones go when there are too many. */
  readonly segmentBytes: number;
  readonly segments: number;
  /** A drain returns the newest. */
  readonly envelopes: number;
}

/** For what somebody tagged: nothing of it is dropped. */
export const ALL: Limits = { segmentBytes: Infinity, segments: Infinity, envelopes: Infinity };

export const LIMITS: Limits = { segmentBytes: 1_048_576, segments: 4, envelopes: 1000 };

const CURRENT = "queue.jsonl";

/**
 * Appends one line in one write. A drain may rename the file between our open and our write and
 * read it before: then the line is written once more, and its id says that it is the same.
 */
export function append(runtime: string, envelope: Envelope, limits: Limits = LIMITS): void {
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const file = join(runtime, CURRENT);
  const line = `${JSON.stringify(envelope)}\n`;
  for (let tries = 0; tries < 20; tries++) {
    const fd = openOwn(file);
    if (fd === undefined) continue;
    try {
      writeSync(fd, line);
      const { ino, size } = fstatSync(fd);
      if (statSync(file, { throwIfNoEntry: false })?.ino !== ino) continue;
      if (size > limits.segmentBytes) closeSegment(runtime, file, limits);
      return;
    } finally {
      closeSync(fd);
    }
  }
}

/** Appends to a file of our own, never through a link and never to a pipe; those are taken away. */
function openOwn(file: string): number | undefined {
  try {
    const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (error) {
    if (isFileOrNone(file)) throw error;
  }
  rmSync(file, { force: true, recursive: true });
  return undefined;
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

const isFileOrNone = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** A name of its own, so that two who do this at once cannot overwrite each other. */
function closeSegment(runtime: string, file: string, limits: Limits): void {
  rename(file, join(runtime, `queue.${stamp()}.jsonl`));
  const closed = named(runtime, /^queue\.\d.*\.jsonl$/);
  for (const name of closed.slice(0, Math.max(0, closed.length - limits.segments)))
    rmSync(join(runtime, name), { force: true });
}

export interface Drained {
  readonly envelopes: readonly Envelope[];
  /** Lines that could not be read, and envelopes beyond the cap. */
  readonly damaged: number;
  readonly dropped: number;
  /** To be called when everything is safe elsewhere: until then the lines stay, also over a crash. */
  readonly commit: () => void;
}

/** Claims what is queued by renaming it, and what an earlier drain had claimed and not committed. */
export function drain(runtime: string, limits: Limits = LIMITS): Drained {
  if (!existsSync(runtime)) return { envelopes: [], damaged: 0, dropped: 0, commit: () => {} };
  for (const name of named(runtime, /^queue(?:\.\d.*)?\.jsonl$/))
    rename(join(runtime, name), join(runtime, `claimed.${stamp()}.jsonl`));
  const claimed = named(runtime, /^claimed\..*\.jsonl$/).map((name) => join(runtime, name));
  const sizes = new Map<string, number>();
  const lines = claimed.flatMap((file) => linesOf(file, sizes));
  const byId = new Map<string, Envelope>();
  let damaged = 0;
  for (const line of lines) {
    const envelope = envelopeOf(line);
    if (envelope) byId.set(envelope.id, envelope);
    else damaged++;
  }
  const all = [...byId.values()];
  return {
    envelopes: all.slice(-limits.envelopes),
    damaged,
    dropped: Math.max(0, all.length - limits.envelopes),
    commit: () => removeUnlessGrown(claimed, sizes),
  };
}

/** A late writer notices the rename and writes again; a file that grew is read once more anyway. */
function removeUnlessGrown(files: readonly string[], sizes: ReadonlyMap<string, number>): void {
  for (const file of files)
    if (statSync(file, { throwIfNoEntry: false })?.size === sizes.get(file))
      rmSync(file, { force: true });
}

function linesOf(file: string, sizes: Map<string, number>): string[] {
  try {
    if (!isFileOrNone(file)) rmSync(file, { force: true, recursive: true });
    const text = readFileSync(file);
    sizes.set(file, text.length);
    return text
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    // Another drain has committed it in between.
    return [];
  }
}

const STRINGS = [
  ...["id", "recorded_at", "call", "session", "harness", "event", "tool", "cwd", "outcome"],
  ...["subject", "payload"],
];

/** What is half a line would be read again and again, and fail every time. */
function envelopeOf(line: string): Envelope | undefined {
  const one = parseObject(line);
  const isWhole =
    one["v"] === 1 &&
    STRINGS.every((name) => typeof one[name] === "string") &&
    Array.isArray(one["paths"]) &&
    one["paths"].every((path) => typeof path === "string");
  return isObject(one) && isWhole ? (one as unknown as Envelope) : undefined;
}

const named = (runtime: string, pattern: RegExp): string[] =>
  readdirSync(runtime)
    .filter((name) => pattern.test(name))
    .toSorted();

let counter = 0;
const stamp = (): string =>
  `${String(Date.now()).padStart(15, "0")}-${process.pid}-${String(counter++).padStart(4, "0")}`;

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** How many lines wait; for people who ask. */
export const pending = (runtime: string): number =>
  !existsSync(runtime)
    ? 0
    : named(runtime, /^(?:queue|claimed).*\.jsonl$/).flatMap((name) =>
        linesOf(join(runtime, name), new Map()),
      ).length;
