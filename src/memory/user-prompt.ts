import { existsSync } from "node:fs";
import type { Args } from "./args.ts";
import type { Item } from "./_memory.ts";
import { isBusy } from "./database.ts";
import { distill } from "./distill.ts";
import { itemsOf } from "./harvest.ts";
import { inject } from "./inject.ts";
import { lineOf, marked } from "./packet.ts";
import { ownWords } from "./own-words.ts";
import { folderIn, placeOf, projectRuntimeDir, waitingDir, type Place } from "./place.ts";
import { ALL, append, type Envelope } from "./queue.ts";
import { redact, redactAll } from "./redact.ts";
import { search, type Hit } from "./search.ts";
import { folderKey, readSession, writeSession, type Session } from "./session.ts";
import { withStore, type Store } from "./store.ts";
import { turned, type Reason } from "./switch.ts";
import { mayHaveTags } from "./tags.ts";
import { originOf, workOf } from "./work.ts";

const MOST_LINES = 4;

/** Keeps tags at once, takes the first prompt in, and recalls when the work turns elsewhere. */
export async function run(args: Args): Promise<void> {
  const place = placeOf(args.cwd, args.env);
  const runtime = projectRuntimeDir(place, args.env);
  const session = readSession(runtime, args.session);
  if (args.session !== "" && session.lastEvent === args.id) return;
  const { reason, task } = turned(args.prompt, folderKey(place.cwd), session);
  if (session.isLost) args.print(await inject({ place, say: args.say, goal: session.goal }));
  const hits = await remember(args, place, reason, session);
  if (hits.length > 0) args.print(recalled(hits, reason, folderIn(place, place.cwd)));
  if (args.session === "") return;
  writeSession(runtime, args.session, {
    isAwake: session.isAwake || session.isLost,
    isLost: false,
    goal: session.goal || (await goalOf(args.prompt)),
    cwd: folderKey(place.cwd),
    task,
    prompts: session.prompts + 1,
    recalled: recalledNow(session, reason, hits),
    lastEvent: args.id,
    at: args.now.toISOString(),
  });
}

/** The database is opened only when there is something to keep or to recall. */
async function remember(
  args: Args,
  place: Place,
  reason: Reason,
  session: Session,
): Promise<readonly Hit[]> {
  const items = mayHaveTags(args.prompt) ? await tagged(args, place) : [];
  const hasStore = existsSync(place.projectFile) || existsSync(place.userFile);
  if (items.length === 0 && (reason === "" || !hasStore)) return [];
  try {
    return await withStore(place, args.say, async (store) => {
      const found = reason === "" ? [] : worthSaying(store, args, place, session, reason);
      if (items.length > 0) await distill(workOf(args, place, store), { items, signals: [] });
      return found;
    });
  } catch (error) {
    // What somebody tagged waits in the queue until the database can be written.
    if (items.length > 0) append(waitingDir(place, args.env), waiting(args, items), ALL);
    if (!isBusy(error)) throw error;
    return [];
  }
}

/** Redacted here already, because it may have to go into the queue. */
async function tagged(args: Args, place: Place): Promise<Item[]> {
  const said = { by: "user", text: ownWords(args.prompt), at: "" } as const;
  const all = itemsOf(said, originOf(args, place), args.now.toISOString());
  const items = all.filter(({ status }) => status === "accepted");
  const texts = await redactAll(items.map(({ text }) => text));
  return items.map((item, i) => ({ ...item, text: texts[i]! }));
}

const waiting = (args: Args, items: readonly Item[]): Envelope => ({
  ...{ v: 1, recorded_at: args.now.toISOString(), id: args.id, call: "", session: args.session },
  ...{ harness: args.harness, event: "UserPromptSubmit", tool: "", cwd: args.cwd, paths: [] },
  ...{ outcome: "ok", subject: "", payload: "", items },
});

/** A few, well matched, accepted, and not said for this task before. */
function worthSaying(
  store: Store,
  args: Args,
  place: Place,
  session: Session,
  reason: Reason,
): Hit[] {
  const folder = reason === "folder" ? folderIn(place, place.cwd) : "";
  const text = `${args.prompt.slice(0, 4000)} ${folder.replaceAll("/", " ")}`;
  const before = reason === "past" ? [] : session.recalled;
  return search(store, text, { limit: MOST_LINES * 2, statuses: ["accepted"] })
    .filter(({ memory }) => !before.includes(memory.ref))
    .filter((hit) => isGood(hit) || (reason === "past" && hit.coverage >= ASKED))
    .slice(0, MOST_LINES);
}

/** Whoever asks about the past is told also what matches in other words only. */
const ASKED = 0.35;

/** Long prompts have many words that no memory has, so a few strong ones are enough. */
const isGood = ({ matched, coverage }: Hit): boolean =>
  coverage >= 0.5 || (matched >= 2 && coverage >= 0.22) || (matched >= 4 && coverage >= 0.12);

const TITLES: Readonly<Record<Exclude<Reason, "">, (folder: string) => string>> = {
  past: () => "Memory has this about it:",
  folder: (folder) => `Memory has this about ${folder === "" ? "the project's root" : folder}:`,
  task: () => "Memory has this about the new task:",
};

const recalled = (hits: readonly Hit[], reason: Reason, folder: string): string =>
  marked([TITLES[reason || "past"](folder), ...hits.map(({ memory }) => lineOf(memory))]);

const recalledNow = (session: Session, reason: Reason, hits: readonly Hit[]): string[] => {
  const refs = hits.map(({ memory }) => memory.ref);
  return (reason === "task" ? refs : [...session.recalled, ...refs]).slice(-50);
};

async function goalOf(prompt: string): Promise<string> {
  const line =
    ownWords(prompt)
      .split("\n")
      .find((one) => one.trim() !== "" && !mayHaveTags(one)) ?? "";
  return (await redact(line.slice(0, 2000))).trim().slice(0, 200);
}
