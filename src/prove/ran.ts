import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { layoutOf, projectRoot } from "../dispatch/layout.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { readLedger } from "../ledger/read.ts";
import { playable, session, type Client, type Play, type Session } from "./session.ts";
import type { Stage } from "./stage.ts";

/** What one scene left behind: all the evidence there is. */
export interface Ran {
  readonly sessions: readonly Session[];
  /** Dispatches, oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** Files in the project, those that are there, and what they say. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Staged {
  readonly stage: () => Stage;
  readonly play: (stage: Stage) => Play;
  /** Files that are evidence. */
  readonly files: readonly string[];
}

/** A script with more turns than this is not played to its end. */
const MOST_SESSIONS = 8;

/**
 * Plays a script to its end: a hook may have ended the session before, and some clients end it
 * whenever a call is denied. Then the rest is played in another one, on a stage of its own.
 */
export async function ran(client: Client, { stage, play, files }: Staged): Promise<Ran> {
  const sessions: Ran[] = [];
  let begun = 0;
  for (let left = true; left && sessions.length < MOST_SESSIONS;) {
    const here = stage();
    try {
      const whole = play(here);
      const all = playable(client.driver, whole.turns);
      const one = await session(client, here, { ...whole, turns: all.slice(begun) });
      const served = one.requests.filter(({ script }) => script === "main");
      const reached = Math.max(-1, ...served.map(({ step }) => step));
      begun += reached + 1;
      // A session that never reached the model would not do so the next time.
      left = reached >= 0 && one.status !== null && begun < all.length;
      sessions.push({ sessions: [one], entries: ledgerOf(here), files: textsIn(here, files) });
    } finally {
      here.clear();
    }
  }
  return {
    sessions: sessions.flatMap((one) => one.sessions),
    entries: sessions.flatMap(({ entries }) => entries),
    files: Object.assign({}, ...sessions.map((one) => one.files)) as Record<string, string>,
  };
}

/** It did nothing at all until it was ended: it would do so the next time. */
export const isStuck = ({ sessions }: Ran): boolean =>
  sessions.some(({ status, requests }) => status === null && requests.length === 0);

/** Why no hook was called, when the client never got as far as to ask the model; else empty. */
export function troubleIn(sessions: readonly Session[]): string {
  const last = sessions.at(-1);
  if (!last || sessions.some(({ requests }) => requests.length > 0)) return "";
  const { status, stderr, stdout, ms } = last;
  const how =
    status === null ? `was ended after ${Math.round(ms / 1000)} s` : `ended with ${status}`;
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  const said = lines.findLast((line) => line !== "")?.slice(0, LONGEST_LINE) ?? "";
  return `the client asked the model nothing and ${how}${said === "" ? "" : `: ${said}`}`;
}

const LONGEST_LINE = 200;

/** Whether the model was told these words. */
export const told = ({ sessions }: Ran, words: string): boolean =>
  sessions.some(({ requests }) => requests.some(({ all }) => all.includes(words)));

export const entriesAt = ({ entries }: Ran, event: string): readonly LedgerEntry[] =>
  entries.filter((entry) => entry.event === event);

/** A stage without hooks of a project is none: then the user's have their own ledger. */
const ledgerOf = ({ project, home }: Stage): LedgerEntry[] =>
  [...readLedger(layoutOf(projectRoot(project), { HOME: home }).ledger)].toReversed();

function textsIn({ project }: Stage, names: readonly string[]): Record<string, string> {
  const there = names.filter((name) => existsSync(join(project, name)));
  return Object.fromEntries(there.map((name) => [name, readFileSync(join(project, name), "utf8")]));
}
