import { join } from "node:path";
import { bounded, endLeftovers, type Ended } from "./bounded.ts";
import { toTool, type Driver, type NativeHook, type Scene, type Taken } from "./clients/_driver.ts";
import { refuseKeys } from "./keys.ts";
import { startModel, type Asked } from "./model/model.ts";
import { isCall, promptFor, type Scripts, type Turn } from "./model/script.ts";
import type { Stage } from "./stage.ts";

/** Longer than any session takes that goes well. */
const LIMIT = 60_000;

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
  readonly ready?: (scene: Scene) => void | Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly limit?: number;
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
    const scene: Scene = { stage, url: model.url, hooks: play.hooks ?? [] };
    stage.write(driver.settings(scene));
    const env = { ...enclosure(stage), ...driver.env(scene), ...play.env };
    refuseKeys(env);
    const bounds = { cwd: join(stage.project, play.from ?? "."), env, limit: play.limit ?? LIMIT };
    for (const words of driver.before?.(scene) ?? []) await bounded([...command, ...words], bounds);
    await play.ready?.(scene);
    const prompt = promptFor("main", play.words);
    const ended = await bounded([...command, ...driver.argv(prompt, scene)], bounds);
    const leftovers = await endLeftovers(stage.home);
    const taken = driver.taken?.(ended.stdout, ended.stderr) ?? [];
    const { requests, errands, unknown } = model;
    return { ...ended, requests, errands, unknown, taken, leftovers };
  } finally {
    await endLeftovers(stage.home);
    await model.close();
  }
}

/** What a client has no tool for is left out, so that the steps after it are still reached. */
function scriptsFor({ tools }: Driver, { parts, turns }: Play): Scripts {
  const can = (turn: Turn): boolean => !isCall(turn) || toTool(tools, turn) !== undefined;
  const scripts = Object.entries({ ...parts, main: turns });
  return Object.fromEntries(scripts.map(([name, steps]) => [name, steps.filter(can)]));
}

/** All that a client inherits. Nothing is left in the system's temp folder, nobody outside is asked. */
const enclosure = (stage: Stage): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  LANG: "C.UTF-8",
  HOME: stage.home,
  TMPDIR: stage.tmp,
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
});
