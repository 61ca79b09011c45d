import type { Item, Origin, Signal } from "./_memory.ts";
import { cursorOf, moveCursor, nextChunk, type Chunk, type Reading } from "./transcript.ts";
import { printedBefore } from "./echoes.ts";
import { harvest } from "./harvest.ts";
import { incidents, keepSignals } from "./incidents.ts";
import { dropOldCandidates, keep } from "./memories.ts";
import { distilPages } from "./pages.ts";
import { folderIn, type Place } from "./place.ts";
import { redactAll } from "./redact.ts";
import type { Say, Store } from "./store.ts";

/** Where and for whom the pipeline works. */
export interface Work {
  readonly place: Place;
  readonly store: Store;
  readonly origin: Origin;
  readonly now: string;
  readonly say: Say;
}

export interface Distilled {
  /** New memories, accepted and candidates. */
  readonly accepted: number;
  readonly candidates: number;
  readonly signals: number;
}

export const NOTHING: Distilled = { accepted: 0, candidates: 0, signals: 0 };

export const sum = (a: Distilled, b: Distilled): Distilled => ({
  accepted: a.accepted + b.accepted,
  candidates: a.candidates + b.candidates,
  signals: a.signals + b.signals,
});

interface Input {
  readonly items: readonly Item[];
  readonly signals: readonly Signal[];
  readonly read?: { readonly file: string; readonly chunk: Chunk };
}

/**
 * The one way into memory, for stop, pre-compact, prompts and the verbs that people call: redact,
 * de-duplicate, keep, and look for incidents. One write: how far a transcript was read moves
 * together with what was found in it, so nothing is lost or doubled whenever we are killed.
 */
export async function distill(work: Work, input: Input): Promise<Distilled> {
  const { store } = work;
  const items = await cleanItems(input.items, work.place);
  const signals = await cleanSignals(input.signals, work.place);
  const forUser = items.filter(({ scope }) => scope === "user");
  const mine = items.filter(({ scope }) => scope !== "user");
  // The user's store first: should we be killed in between, the transcript is read again.
  const kept =
    forUser.length === 0 ? NOTHING : store.user.write(() => keepAll(store.user, forUser));
  if (mine.length === 0 && signals.length === 0 && !input.read) return kept;
  const more = store.project.write(() => {
    const { read } = input;
    if (read && !moveCursor(store.project, read.file, read.chunk)) return NOTHING;
    const added = keepSignals(store.project, signals);
    const sessions = added === 0 ? [] : signals.map(({ session }) => session);
    const found = incidents(store.project, sessions, work.origin);
    return { ...keepAll(store.project, [...mine, ...found]), signals: added };
  });
  return sum(kept, more);
}

function keepAll(database: Store["project"], items: readonly Item[]): Distilled {
  const kept = keep(database, items);
  distilPages(
    database,
    kept.filter(({ isNew }) => isNew).map(({ id }) => id),
  );
  dropOldCandidates(database);
  return {
    accepted: kept.filter(({ isNew, status }) => isNew && status === "accepted").length,
    candidates: kept.filter(({ isNew, status }) => isNew && status === "candidate").length,
    signals: 0,
  };
}

async function cleanItems(items: readonly Item[], place: Place): Promise<Item[]> {
  const texts = await redactAll(items.map(({ text }) => text));
  const places = await redactAll(items.flatMap(({ scope, folder }) => [scope, folder]));
  return items.map((item, i) => ({
    ...item,
    text: texts[i]!,
    // The name of a branch is clean already, and must stay what it is to be found again.
    scope: item.scope.startsWith("branch:") ? item.scope : places[2 * i]!,
    folder: places[2 * i + 1]!,
    paths: item.paths.map((path) => folderIn(place, path)),
  }));
}

async function cleanSignals(signals: readonly Signal[], place: Place): Promise<Signal[]> {
  const paths = signals.map((one) => one.paths.slice(0, 20).map((path) => folderIn(place, path)));
  const subjects = await redactAll(signals.map(({ subject }) => subject));
  const details = await redactAll(signals.map(({ detail }) => detail));
  const places = await redactAll(paths.map((some) => some.join("\n")));
  return signals.map((signal, i) => ({
    ...signal,
    subject: subjects[i]!.slice(0, 300),
    detail: details[i]!.slice(0, 160),
    paths: places[i]!.split("\n").filter((path) => path !== ""),
  }));
}

export interface Scanned extends Distilled {
  readonly isDone: boolean;
}

/**
 * Whoever is killed over a chunk begins with it again: so the first ones are small enough to get
 * through, whatever is in them, and only what goes quickly is read in larger ones.
 */
const SMALL = 256 * 1024;
const LARGE = 4 * 1_048_576;
const QUICK = 60;

/** Reads the new part of a transcript, chunk by chunk, until its end or the deadline. */
export async function scan(
  work: Work,
  file: string,
  deadline: number,
  how: Reading = {},
): Promise<Scanned> {
  let total = NOTHING;
  for (let chunkBytes = SMALL; ;) {
    const began = performance.now();
    const chunk = nextChunk(file, cursorOf(work.store.project, file), { chunkBytes, ...how });
    if (chunk.after.at === chunk.before.at) return { ...total, isDone: true };
    const before = (): string[] => printedBefore(file, chunk.before.at);
    const found = harvest(chunk.lines, work.origin, work.now, before);
    total = sum(total, await distill(work, { ...found, read: { file, chunk } }));
    if (chunk.isLast) return { ...total, isDone: true };
    if (performance.now() > deadline) return { ...total, isDone: false };
    if (performance.now() - began < QUICK) chunkBytes = Math.min(4 * chunkBytes, LARGE);
  }
}
