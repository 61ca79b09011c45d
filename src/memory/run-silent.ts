import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../dispatch/redact.ts";
import { Fault } from "../fault.ts";
import type { Args } from "./args.ts";
import type { Place } from "./place.ts";

/**
 * Runs a body and swallows any error: one line on stderr, one in the ledger, one among the faults
 * that `anyhook status` shows, and the session goes on. The only way in which a memory hook runs.
 */
export async function runSilent(
  name: string,
  body: () => Promise<void>,
  report: (text: string) => void,
): Promise<void> {
  try {
    await body();
  } catch (error) {
    quietly(() => report(`memory ${name}: ${textOf(error)}`));
  }
}

export function textOf(error: unknown): string {
  if (error instanceof Fault)
    return error.hint === "" ? error.message : `${error.message}: ${error.hint}`;
  const { message } = (error ?? {}) as { message?: unknown };
  const known = adviceFor(error);
  return redact(`${String(message ?? error)}${known === undefined ? "" : ` (${known})`}`);
}

/** What can be done about it, where we know. */
export function adviceFor(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? ADVICE[code] : undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  SQLITE_FULL: "the disk is full: nothing was lost, it is tried again at the next stop",
  SQLITE_BUSY: "another session was writing for long; it is tried again at the next stop",
  SQLITE_IOERR: "the disk cannot be written; it is tried again at the next stop",
  SQLITE_READONLY: "the store cannot be written: check its permissions",
  SQLITE_CANTOPEN: "the store cannot be opened: check its permissions",
  ENOSPC: "the disk is full",
  EACCES: "check the permissions",
  EROFS: "the disk is mounted read-only",
  MODULE_NOT_FOUND: "anyhook is not installed completely: install it again",
};

/** Where what went wrong is told. Each of these may fail by itself. */
export function tell(text: string, args: Omit<Args, "say">, place: Place | undefined): void {
  process.stderr.write(`anyhook: ${text}\n`);
  const time = args.now.toISOString().replace(/\.\d+Z$/, "Z");
  if (!place) return;
  quietly(() => {
    if (!existsSync(place.ledger)) mkdirSync(place.ledger, { recursive: true, mode: 0o700 });
    appendFileSync(join(place.ledger, `${time.slice(0, 10)}.jsonl`), ledgerLine(text, time, args));
  });
  quietly(() =>
    appendFileSync(
      join(place.store, "faults.jsonl"),
      `${JSON.stringify({ v: 1, time, fault: text })}\n`,
    ),
  );
}

/** As the line of a detached hook, so that `why` shows it beside the event it belongs to. */
function ledgerLine(
  text: string,
  time: string,
  { id, harness, event, session, env }: Omit<Args, "say">,
): string {
  const hook = {
    name: env["ANYHOOK_HOOK"] ?? `memory-${event}`,
    ...{ status: "failed", exit: 0, verdict: "pass", note: text.slice(0, 300), ms: 0 },
  };
  const head = { v: 1, time, id, harness, event: env["ANYHOOK_EVENT"] ?? event, session, tool: "" };
  const entry = { ...head, manifest: "", depth: 0, lane: "async", ms: 0, hooks: [hook] };
  return `${JSON.stringify({ ...entry, decision: { verdict: "pass" } })}\n`;
}

function quietly(body: () => void): void {
  try {
    body();
  } catch {
    // There is nowhere left to say it.
  }
}
