import { statSync } from "node:fs";
import { suggest } from "../events.ts";
import type { Memory } from "../memory/_memory.ts";
import { byRef, judge, listed, statsOf, type Found } from "../memory/browse.ts";
import { forget } from "../memory/forget.ts";
import { placeOf, projectRuntimeDir, type Place } from "../memory/place.ts";
import { pending } from "../memory/queue.ts";
import { search } from "../memory/search.ts";
import { withStore, type Store } from "../memory/store.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { memoryJson, memoryRows, memoryText, statsText } from "./_memory-text.ts";
import { harmless } from "./_paint.ts";

type Act = (store: Store, call: Call, place: Place) => Answer | Promise<Answer>;

const ACTS = {
  list: (store, call) => {
    const wanted = { status: call.text("status"), kind: call.text("kind") };
    const given = Object.fromEntries(
      Object.entries(wanted).filter(([, value]) => value !== undefined),
    );
    return manyAnswer(listed(store, { ...given, limit: linesOf(call, 20) }), call);
  },
  search: (store, call) => {
    const text = wordsOf(call, "words to look for");
    const hits = search(store, text, { limit: linesOf(call, 5) });
    const json = hits.map(({ memory, score }) => ({ ...memoryJson(memory), score }));
    const many = manyAnswer(
      hits.map(({ memory }) => memory),
      call,
    );
    return { ...many, json: { memories: json }, exit: hits.length === 0 ? 1 : 0 };
  },
  show: (store, call) => {
    const { memory, evidence } = found(store, call);
    const json = { ...memoryJson(memory), evidence };
    return { exit: 0, json, text: memoryText(memory, evidence, call) };
  },
  accept: (store, call) => judged(store, call, "accepted"),
  reject: (store, call) => judged(store, call, "rejected"),
  forget: (store, call, place) => {
    const { database, memory } = found(store, call);
    forget(database, memory.id, projectRuntimeDir(place, call.env));
    return { exit: 0, json: { id: memory.ref, forgotten: true }, text: `Forgotten: ${memory.ref}` };
  },
  stats: (store, call, place) => {
    const [project, user] = [statsOf(store.project), statsOf(store.user)];
    const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const json = {
      project: { ...project, file: place.projectFile, bytes: size(place.projectFile) },
      user: { ...user, file: place.userFile, bytes: size(place.userFile) },
      queued: pending(projectRuntimeDir(place, call.env)),
    };
    return { exit: 0, json, text: statsText(json) };
  },
  export: (store) => {
    const lines = listed(store, { limit: Number.MAX_SAFE_INTEGER }).toReversed().map(memoryJson);
    return {
      exit: 0,
      json: { memories: lines },
      text: lines.map((one) => JSON.stringify(one)).join("\n"),
    };
  },
} as const satisfies Record<string, Act>;

export async function memory(call: Call): Promise<Answer> {
  const what = call.operands[0]!;
  const names = Object.keys(ACTS);
  if (!Object.hasOwn(ACTS, what)) {
    const near = suggest(what, names);
    throw new Misuse(
      `memory has no "${what}"`,
      near ? `did you mean ${near}?` : `one of ${names.join(", ")}`,
    );
  }
  const place = placeOf(call.from, call.env);
  const say = (text: string): void => void process.stderr.write(`anyhook: ${harmless(text)}\n`);
  const act: Act = ACTS[what as keyof typeof ACTS];
  return withStore(place, say, (store) => act(store, call, place));
}

function manyAnswer(memories: readonly Memory[], call: Call): Answer {
  const text = memories.length === 0 ? "Nothing." : memoryRows(memories, call);
  return { exit: 0, json: { memories: memories.map(memoryJson) }, text };
}

function judged(store: Store, call: Call, status: "accepted" | "rejected"): Answer {
  const one = found(store, call);
  judge(one, status);
  const { ref } = one.memory;
  const word = status === "accepted" ? "Accepted" : "Rejected";
  return { exit: 0, json: { id: ref, status }, text: `${word}: ${ref}` };
}

function found(store: Store, call: Call): Found {
  const ref = wordsOf(call, "the id of a memory");
  const one = byRef(store, ref);
  if (one) return one;
  throw new Missing(`there is no memory ${ref} here`, "anyhook memory list shows the ids");
}

function wordsOf({ operands }: Call, what: string): string {
  const text = operands.slice(1).join(" ");
  if (text === "")
    throw new Misuse(`memory ${operands[0]} needs ${what}`, "see anyhook memory --help");
  return text;
}

function linesOf(call: Call, otherwise: number): number {
  const given = call.text("lines");
  if (given === undefined) return otherwise;
  if (/^[1-9]\d*$/.test(given)) return Number(given);
  throw new Misuse(`--lines: "${given}" is no number`, "write -n 20");
}
