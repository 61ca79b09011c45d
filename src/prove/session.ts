import { join } from "node:path";
import { bounded, endLeftovers, type Ended } from "./bounded.ts";
import {
  toTool,
  type Driver,
  type NativeHook,
  type Surroundings,
  type Taken,
} from "./clients/_driver.ts";
import { refuseKeys } from "./keys.ts";
import { startModel, type Asked } from "./model/model.ts";
import { isCall, promptFor, type Scripts, type Turn } from "./model/script.ts";
import type { Stage } from "./stage.ts";

/** Longer than any session takes that goes well, on most machines. */
const limitHere = (): number => (Number(process.env["ANYHOOK_PROVE_LIMIT"]) || 60) * 1000;

/** A client that is here: how it is driven, and the words that start it. */
export interface Client {
  readonly driver: Driver;
  readonly version: string;
  readonly command: readonly string[];
}

export interface Play {
  readonly turns: readonly Turn[];
  /** What the user says. */
  readonly words?: string;
  /** Scripts that sub-agents play. */
  readonly parts?: Scripts;
  /** Where the client is started, relative to the project. */
  readonly from?: string;
  readonly hooks?: readonly NativeHook[];
  /** Called when the client's own settings are written, before it is started. */
  readonly ready?: (around: Surroundings) => void | Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly strict?: boolean;
}

export interface Session extends Ended {
  readonly requests: readonly Asked[];
  readonly errands: readonly Asked[];
  readonly unknown: readonly string[];
  readonly taken: readonly Taken[];
  /** Processes that outlived the client by more than a moment; they have been ended. */
  readonly leftovers: readonly string[];
}

/** One headless session of a real client: it asks the scripted model until that has no more calls. */
export async function session(
  { driver, command }: Client,
  stage: Stage,
  play: Play,
): Promise<Session> {
  const model = await startModel({
    scripts: scriptsFor(driver, play),
    toTool: (call) => toTool(driver.tools, call),
    fullAt: driver.fullAt,
  });
  try {
    const { hooks = [], strict = false } = play;
    const around: Surroundings = { stage, url: model.url, hooks, strict };
    stage.write(driver.settings(around));
    const env = { ...enclosure(stage), ...driver.env(around), ...play.env };
    refuseKeys(env);
    const bounds = {
      cwd: join(stage.project, play.from ?? "."),
      env,
      limit: play.limit ?? limitHere(),
    };
    await play.ready?.(around);
    stage.write(UNWATCHED);
    const prompt = promptFor("main", play.words);
    const ended = await bounded([...command, ...driver.argv(prompt, around)], bounds);
    const leftovers = await endLeftovers(stage.home);
    const taken = driver.taken?.(ended.stdout, ended.stderr) ?? [];
    const { requests, errands, unknown } = model;
    return { ...ended, requests, errands, unknown, taken, leftovers };
  } finally {
    await endLeftovers(stage.home);
    await model.close();
  }
}

/** As if it had just been compared: nothing is started at the end of a session that nobody reads. */
const UNWATCHED = { "home/.local/state/anyhook/liveness/looked": "" };

const scriptsFor = (driver: Driver, { parts, turns }: Play): Scripts =>
  Object.fromEntries(
    Object.entries({ ...parts, main: turns }).map(([name, all]) => [name, playable(driver, all)]),
  );

/** What a client has no tool for is left out, so that the steps after it are still reached. */
export const playable = ({ tools }: Driver, turns: readonly Turn[]): readonly Turn[] =>
  turns.filter((turn) => !isCall(turn) || toTool(tools, turn) !== undefined);

/** All that a client inherits. Nothing is left in the system's temp folder, nobody outside is asked. */
const enclosure = (stage: Stage): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  LANG: "C.UTF-8",
  HOME: stage.home,
  TMPDIR: stage.tmp,
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
});
