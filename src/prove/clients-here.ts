import type { Adapter } from "../adapters/_contract.ts";
import { wordsOf } from "../install/program-version.ts";
import { programPath, type Site } from "../install/site.ts";
import { bounded } from "./bounded.ts";
import { DRIVERS } from "./clients/_all.ts";
import type { Client } from "./session.ts";
import { makeStage } from "./stage.ts";

/** A harness that was looked for: how it can be started, or why not. */
export interface Found {
  readonly adapter: Adapter;
  readonly client: Client | undefined;
  readonly why: string;
}

const PATIENCE = 30_000;
/** Of a version, in characters. */
const LONGEST = 40;

/** Words that start a client, by harness, where it is not on the search path; for tests and CI. */
export const givenPrograms = (env: Site["env"]): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(env["ANYHOOK_CLIENT_PROGRAMS"] || "{}") as Record<string, string[]>;

/** Which of these harnesses can be proven on this machine. */
export function clientsHere(adapters: readonly Adapter[], env: Site["env"]): Promise<Found[]> {
  const given = givenPrograms(env);
  return Promise.all(adapters.map((adapter) => find(adapter, given[adapter.id] ?? [], env)));
}

async function find(adapter: Adapter, given: readonly string[], env: Site["env"]): Promise<Found> {
  const none = (why: string): Found => ({ adapter, client: undefined, why });
  const driver = DRIVERS.find(({ harness }) => harness === adapter.id);
  const { programs, version } = adapter.presence;
  const program = programs.map((name) => programPath(name, env)).find((path) => path !== "");
  const command = given.length > 0 ? given : program === undefined ? [] : [program];
  if (!driver) return none("it cannot be started without a person or an account");
  if (command.length === 0) return none("it is not on this machine");
  const { said, words } = await versionOf(command, version);
  const silent = `${command.join(" ")} does not say its version`;
  return said === ""
    ? none(words === "" ? silent : `${silent}, but: ${words}`)
    : { adapter, client: { driver, version: said, command }, why: "" };
}

interface Asked {
  /** Its version, or empty. */
  readonly said: string;
  /** What it said in place of that. */
  readonly words: string;
}

async function versionOf(command: readonly string[], args: readonly string[]): Promise<Asked> {
  const stage = makeStage();
  const env = { PATH: process.env["PATH"] ?? "", HOME: stage.home, TMPDIR: stage.tmp };
  try {
    const bounds = { cwd: stage.project, env, limit: PATIENCE };
    const { stdout, stderr, status } = await bounded([...command, ...args], bounds);
    const text = stdout + (status === 0 ? stderr : "");
    const said = /\d+\.\d+[\w.-]*/.exec(text)?.[0].slice(0, LONGEST) ?? "";
    return { said, words: wordsOf(`${stderr}\n${stdout}`) };
  } catch (error) {
    return { said: "", words: error instanceof Error ? error.message : "" };
  } finally {
    stage.clear();
  }
}
