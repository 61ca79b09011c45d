import { statSync } from "node:fs";
import { suggest } from "../events.ts";
import { TAGS, type Memory } from "../memory/_memory.ts";
import { adopt } from "../memory/adopt.ts";
import { byRef, judge, listed, statsOf, type Found } from "../memory/browse.ts";
import { forget } from "../memory/forget.ts";
import { allBuffers, placeOf, projectRuntimeDir, waitingDir, type Place } from "../memory/place.ts";
import { pending } from "../memory/queue.ts";
import { search } from "../memory/search.ts";
import { withStore, type Store } from "../memory/store.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { memoryJson, memoryRows, memoryText, statsText } from "./_memory-text.ts";
import { harmless } from "./_paint.ts";
import { explained } from "./_store-fault.ts";
import { count } from "./_words.ts";

type Act = (store: Store, call: Call, place: Place) => Answer | Promise<Answer>;

const ACTS = {
  list: (store, call) => {
    const wanted = { status: oneOf(call, "status", STATUSES), kind: oneOf(call, "kind", KINDS) };
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
    const all = founds(store, call);
    const buffers = allBuffers(place, call.env);
    const done = all.map(({ database, memory }) => forget(database, memory.id, buffers));
    const scrubbed = done.every((one) => one?.isScrubbed ?? true);
    const rest = scrubbed ? "" : "\nAnother session is reading: its next stop empties the log.";
    const ids = all.map(({ memory }) => memory.ref);
    const json = { ...idsJson(ids), forgotten: true, scrubbed };
    return { exit: 0, json, text: `Forgotten: ${ids.join(", ")}${rest}` };
  },
  stats: (store, call, place) => {
    const [project, user] = [statsOf(store.project), statsOf(store.user)];
    const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const json = {
      project: { ...project, file: place.projectFile, bytes: size(place.projectFile) },
      user: { ...user, file: place.userFile, bytes: size(place.userFile) },
      queued: pending(projectRuntimeDir(place, call.env)) + pending(waitingDir(place, call.env)),
    };
    return { exit: 0, json, text: statsText(json) };
  },
  adopt: async (store, call, place) => {
    const folder = wordsOf(call, "the folder that the project had before");
    const { accepted, candidates } = await adopt({ place, store, env: call.env, say }, folder);
    const text = `Taken over: ${accepted} accepted, ${count(candidates, "candidate")}. The old memory is still there.`;
    return { exit: 0, json: { accepted, candidates }, text };
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
  const act: Act = ACTS[what as keyof typeof ACTS];
  return explained(() => withStore(place, say, (store) => act(store, call, place)));
}

const say = (text: string): void => void process.stderr.write(`anyhook: ${harmless(text)}\n`);

function manyAnswer(memories: readonly Memory[], call: Call): Answer {
  const text = memories.length === 0 ? "Nothing." : memoryRows(memories, call);
  return { exit: 0, json: { memories: memories.map(memoryJson) }, text };
}

function judged(store: Store, call: Call, status: "accepted" | "rejected"): Answer {
  const all = founds(store, call);
  for (const one of all) judge(one, status);
  const ids = all.map(({ memory }) => memory.ref);
  const word = status === "accepted" ? "Accepted" : "Rejected";
  return { exit: 0, json: { ...idsJson(ids), status }, text: `${word}: ${ids.join(", ")}` };
}

/** One id stays one in JSON. */
const idsJson = (ids: readonly string[]): object => (ids.length === 1 ? { id: ids[0] } : { ids });

function found(store: Store, call: Call): Found {
  return foundBy(store, wordsOf(call, "the id of a memory"));
}

/** All of them or none: a wrong number among many is found before anything is done. */
function founds(store: Store, call: Call): Found[] {
  wordsOf(call, "the id of a memory");
  return [...new Set(call.operands.slice(1))].map((ref) => foundBy(store, ref));
}

function foundBy(store: Store, ref: string): Found {
  const one = byRef(store, ref);
  if (one) return one;
  throw new Missing(`there is no memory ${ref} here`, "anyhook memory list shows the ids");
}

const STATUSES = ["accepted", "candidate", "rejected"];
const KINDS = [...TAGS, "page"];

function oneOf(call: Call, option: string, names: readonly string[]): string | undefined {
  const given = call.text(option);
  if (given === undefined || names.includes(given)) return given;
  const near = suggest(given, names);
  throw new Misuse(
    `--${option}: there is no "${given}"`,
    near ? `did you mean ${near}?` : `one of ${names.join(", ")}`,
  );
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
