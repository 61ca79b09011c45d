import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseObject, scalarText } from "../dispatch/occurrence.ts";

/**
 * What one session was told and is about, between its events. Words are kept as short hashes, so
 * that no prompt can be read here; only the goal is text, and that is redacted.
 */
export interface Session {
  /** The packet was said, and has not been compacted away since. */
  readonly isAwake: boolean;
  /** It was compacted away, and not said again yet. */
  readonly isLost: boolean;
  /** First line of the first prompt. */
  readonly goal: string;
  /** The folder of the last prompt, as a hash. */
  readonly cwd: string;
  /** Hashes of the words of the current task. */
  readonly task: readonly string[];
  readonly prompts: number;
  /** Memories that were recalled for this task already. */
  readonly recalled: readonly string[];
  /** The last event that was answered: the same one again is not answered twice. */
  readonly lastEvent: string;
  readonly at: string;
}

export const NEW_SESSION: Session = {
  isAwake: false,
  isLost: false,
  goal: "",
  cwd: "",
  task: [],
  prompts: 0,
  recalled: [],
  lastEvent: "",
  at: "",
};

export function readSession(runtime: string, id: string): Session {
  if (id === "") return NEW_SESSION;
  let text = "";
  try {
    text = readFileSync(fileOf(runtime, id), "utf8");
  } catch {
    return NEW_SESSION;
  }
  const one = parseObject(text);
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(scalarText) : []);
  return {
    isAwake: one["isAwake"] === true,
    isLost: one["isLost"] === true,
    goal: scalarText(one["goal"]),
    cwd: scalarText(one["cwd"]),
    task: list(one["task"]),
    prompts: Number(one["prompts"] ?? 0) || 0,
    recalled: list(one["recalled"]),
    lastEvent: scalarText(one["lastEvent"]),
    at: scalarText(one["at"]),
  };
}

/** Written beside and renamed: a reader sees the old state or the new one. */
export function writeSession(runtime: string, id: string, session: Session): void {
  const file = fileOf(runtime, id);
  mkdirSync(join(runtime, "sessions"), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(session), { mode: 0o600 });
  renameSync(fresh, file);
}

const fileOf = (runtime: string, id: string): string =>
  join(runtime, "sessions", `${id.replaceAll(/[^\w-]/g, "_").slice(0, 80)}-${hashed(id)}.json`);

export const hashed = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 8);

/** All that is asked of it is whether it is another one. */
export const folderKey = (cwd: string): string => hashed(`cwd ${cwd}`);

const OURS = /-[0-9a-f]{8}\.json(?:\.\d+)?$/;
const DAYS_KEPT = 14;

/** Sessions that nobody will come back to. */
export function dropOldSessions(runtime: string, now: Date): void {
  const folder = join(runtime, "sessions");
  try {
    for (const name of readdirSync(folder).filter((one) => OURS.test(one))) {
      const age = now.getTime() - statSync(join(folder, name)).mtimeMs;
      if (age > DAYS_KEPT * 86_400_000) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // There are none, or another session is doing the same.
  }
}
