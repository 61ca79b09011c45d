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
import { canonicalBytes } from "../dispatch/canonical-bytes.ts";
import { isObject, parseObject } from "../dispatch/occurrence.ts";
import { membersOf } from "../dispatch/raw.ts";
import type { Hook } from "../model.ts";
import type { Answer } from "./_answer.ts";
import type { Work } from "./index.ts";

/** Answers that were given before, for as long as the hook says. */
export interface Cache {
  read(): Answer | undefined;
  write(answer: Answer): void;
}

const NO_CACHE: Cache = { read: () => undefined, write: () => {} };
const MOST = 500;
/** Without a store: as long as the process lives. */
const memory = new Map<string, string>();

/** `who` is the provider and the model, which settings and the environment may change. */
export function cacheFor(hook: Hook, work: Work, who: string, ttl: number): Cache {
  if (ttl <= 0) return NO_CACHE;
  const key = keyOf(hook, work, who);
  const folder = work.slot === "" ? "" : join(work.slot, "answers");
  return {
    read: () => fresh(folder === "" ? memory.get(key) : textOf(join(folder, key)), ttl),
    write: (answer) => {
      const text = JSON.stringify({ ...answer, time: Date.now() });
      if (folder === "") remember(key, text);
      else store(folder, key, text);
    },
  };
}

/** Other for every session or call, and nothing that a verdict should depend on. */
const VOLATILE: readonly string[] = [
  "session_id",
  "transcript_path",
  "agent_transcript_path",
  "agent_id",
  "tool_use_id",
  "turn_id",
  "prompt_id",
  "timestamp",
];

/** By the text and not by what it parses to: a member that is there twice was shown twice. */
function keyOf(hook: Hook, work: Work, who: string): string {
  const { name, kind, script, extra } = hook;
  const seen = lastingText(canonicalBytes(work.event, work.input).toString("utf8"), script);
  const all = JSON.stringify([name, kind, script, extra, who, work.event.event, seen]);
  return createHash("sha256").update(all).digest("hex").slice(0, 32);
}

/** Without what is volatile, unless the question is about it. */
function lastingText(payload: string, question: string): string {
  if (Object.keys(parseObject(payload)).length === 0) return payload;
  const asked = (name: string): boolean => question.includes(`{${name}}`);
  return membersOf(payload)
    .filter(({ key }) => VOLATILE.includes(key) && !asked(key))
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), payload);
}

/** A clock that was set back does not make an answer last longer. */
function fresh(text: string | undefined, ttl: number): Answer | undefined {
  if (text === undefined) return undefined;
  const kept = parseObject(text);
  const age = Date.now() - Number(kept["time"]);
  if (typeof kept["ok"] !== "boolean" || !(age >= 0 && age < ttl)) return undefined;
  return { ok: kept["ok"], reason: String(kept["reason"] ?? ""), findings: [] };
}

function remember(key: string, text: string): void {
  memory.delete(key);
  memory.set(key, text);
  const [oldest] = memory.keys();
  if (memory.size > MOST && oldest !== undefined) memory.delete(oldest);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written is no failure of the hook. */
function store(folder: string, key: string, text: string): void {
  const fresh = join(folder, `.${key}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, join(folder, key));
    prune(folder);
  } catch (error) {
    if (!isObject(error) || error["code"] === undefined) throw error;
    rmSync(fresh, { force: true });
  }
}

function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST) return;
  const aged = names.map((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return { name, time: stat?.mtimeMs ?? 0 };
  });
  const old = aged.toSorted((a, b) => a.time - b.time).slice(0, names.length - MOST + 50);
  for (const { name } of old) rmSync(join(folder, name), { force: true });
}
