import { resolveEvent, suggest } from "../events.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { follow } from "../ledger/follow.ts";
import { readLedger, type Tally } from "../ledger/read.ts";
import { sealLedger, verifyLedger } from "../ledger/seal.ts";
import { hasFailed } from "../ledger/runs.ts";
import { VERDICTS } from "../model.ts";
import { type Answer, type Call, Misuse, spoken } from "./_call.ts";
import { decidersOf, verdictPaint } from "./_trace.ts";
import { oneLine } from "./_paint.ts";
import { shortId } from "./_entries.ts";
import { layoutHere } from "./_project.ts";
import { shorten } from "./_table.ts";
import { clock, count, span } from "./_words.ts";

type Filter = (entry: LedgerEntry) => boolean;

/** Oldest first, like tail; JSON as one object per line, because the log has no end. */
export async function log(call: Call): Promise<Answer> {
  const { ledger, root } = layoutHere(call);
  if (call.flag("verify")) return verify(ledger, call);
  const wanted = filterOf(call);
  const tally: Tally = { damaged: 0 };
  const following = call.flag("follow") ? follow(ledger, tally) : undefined;
  const entries = lastOf(
    readLedger(ledger, tally, following?.ends),
    wanted,
    linesOf(call),
  ).toReversed();
  const print = (entry: LedgerEntry): void =>
    void process.stdout.write(`${call.json ? JSON.stringify(entry.raw) : logLine(entry, call)}\n`);
  entries.forEach(print);
  if (following)
    return spoken(await goOn(() => following.poll().filter(wanted).forEach(print), call.unread));
  if (entries.length === 0) {
    const where = root === "" ? "outside of any project" : `in ${root}`;
    process.stderr.write(`Nothing to show ${where}.\n`);
  }
  if (tally.damaged > 0)
    process.stderr.write(`${count(tally.damaged, "damaged line")} passed over.\n`);
  return spoken(0);
}

/** Past days are sealed; a line that was changed, removed or added afterwards shows. */
function verify(ledger: string, call: Call): Answer {
  sealLedger(ledger);
  const days = verifyLedger(ledger);
  const sound = days.every(({ state }) => /^(intact|dropped|not sealed yet)$/.test(state));
  if (call.json) process.stdout.write(`${JSON.stringify({ sound, days })}\n`);
  else {
    for (const { day, state } of days) process.stdout.write(`${day}  ${state}\n`);
    process.stdout.write(sound ? "Nothing was changed.\n" : "The ledger was changed.\n");
  }
  return spoken(sound ? 0 : 1);
}

function lastOf(entries: Iterable<LedgerEntry>, wanted: Filter, limit: number): LedgerEntry[] {
  const found: LedgerEntry[] = [];
  if (limit === 0) return found;
  for (const entry of entries) {
    if (wanted(entry)) found.push(entry);
    if (found.length >= limit) break;
  }
  return found;
}

function linesOf(call: Call): number {
  const text = call.text("lines") ?? "20";
  if (!/^\d+$/.test(text)) throw new Misuse(`-n takes a number, not "${text}"`);
  return Number(text);
}

const POLL_MS = 200;

/** Until somebody interrupts: files are polled, because watching is not reliable everywhere. */
function goOn(step: () => void, unread: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = (exit: number) => (): void => {
      clearInterval(timer);
      resolve(exit);
    };
    const timer = setInterval(() => {
      try {
        step();
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
    }, POLL_MS);
    process.once("SIGINT", end(130));
    process.once("SIGTERM", end(130));
    unread.addEventListener("abort", end(0));
  });
}

function filterOf(call: Call): Filter {
  const event = call.text("event");
  const name = event === undefined ? undefined : (resolveEvent(event) ?? event);
  const verdict = verdictOf(call.text("verdict"));
  const [hook, session] = [call.text("hook"), call.text("session")];
  return (entry) =>
    (name === undefined || entry.event === name) &&
    (verdict === undefined || entry.decision.verdict === verdict) &&
    (hook === undefined || entry.hooks.some((one) => one.name === hook)) &&
    (session === undefined || entry.session.startsWith(session));
}

function verdictOf(written: string | undefined): string | undefined {
  if (written === undefined || VERDICTS.some((one) => one === written)) return written;
  const near = suggest(written, VERDICTS);
  throw new Misuse(
    `there is no verdict "${written}"`,
    near ? `did you mean ${near}?` : `one of ${VERDICTS.join(", ")}`,
  );
}

/** Fixed columns, because the next line is not known yet. */
function logLine(entry: LedgerEntry, { paint, width }: Call): string {
  const { verdict } = entry.decision;
  const cells = [
    clock(entry.time),
    entry.harness.padEnd(11),
    entry.event.padEnd(16),
    oneLine(entry.tool).padEnd(8),
    verdictPaint(paint, verdict)(verdict.padEnd(7)),
    span(entry.ms).padStart(7),
    paint.quiet(shortId(entry).padEnd(16)),
    hooksText(entry),
  ];
  return shorten(cells.join("  ").trimEnd(), width + 1);
}

function hooksText(entry: LedgerEntry): string {
  const deciders = decidersOf(entry);
  const ran = entry.hooks.filter(({ status }) => status !== "skipped");
  const text = ran
    .map((hook) => {
      const reason =
        deciders.includes(hook) && hook.reason !== "" ? `: ${oneLine(hook.reason)}` : "";
      return `${hook.name}${hasFailed(hook) ? ` (${hook.status})` : ""}${reason}`;
    })
    .join(", ");
  const detached = entry.lane === "async" ? " (detached)" : "";
  return entry.decision.unenforced === "" ? text + detached : `${text} (not enforced)`;
}
