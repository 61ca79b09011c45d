import { ADAPTERS } from "../adapters/_all.ts";
import { type Adapter } from "../adapters/_contract.ts";
import { SCOPES } from "../adapters/_settings.ts";
import type { Installation } from "../compile/materialize.ts";
import { userRoot } from "../dispatch/layout.ts";
import type { EventName } from "../events.ts";
import { Fault } from "../fault.ts";
import { pathAt, siteOf, type Site } from "../install/site.ts";
import { causes } from "./causes.ts";
import { clientProof, type EventProof } from "./client-proof.ts";
import { clientsHere, type Found } from "./clients-here.ts";
import type { Origin } from "./copied.ts";
import { duels, type DuelRow } from "./native.ts";
import type { HookProof } from "./own-hooks.ts";
import { ownProof } from "./own-proof.ts";
import type { Client } from "./session.ts";
import type { TheirHooks } from "./their-hooks.ts";
import type { Timing } from "./timing.ts";
import { fingerprints, touched } from "./untouched.ts";

export interface Question {
  readonly origin: Origin;
  readonly installation: Installation;
  readonly adapters: readonly Adapter[];
  readonly events: readonly EventName[];
  /** Hooks of the person, those that are asked for. */
  readonly theirs: TheirHooks;
  /** Only this hook of the person; then our own probes are left out. */
  readonly hook: string | undefined;
  /** The same commands registered with the client itself as well. */
  readonly native: boolean;
  readonly progress: (what: string) => void;
}

export interface ClientReport {
  readonly harness: string;
  readonly title: string;
  /** "" when it could not be started. */
  readonly version: string;
  /** Why it was not proven, or not to the end. */
  readonly why: string;
  /** Whose entries called us while the person's hooks were played. */
  readonly connection: "theirs" | "fresh" | "";
  /** What is wrong with the person's own connection. */
  readonly causes: readonly string[];
  readonly events: readonly EventProof[];
  readonly hooks: readonly HookProof[];
  readonly timing: Timing | undefined;
  /** undefined: not asked for, or the client runs no commands as hooks. */
  readonly native: readonly DuelRow[] | undefined;
}

export interface Report {
  readonly ok: boolean;
  readonly clients: readonly ClientReport[];
  /** Files of the person's that changed meanwhile. */
  readonly touched: readonly string[];
  /** What of the project was not on the stage; empty when all of it was. */
  readonly without: string;
  /** Mistakes because of which a hook of the person does not run anywhere. */
  readonly mistakes: number;
}

/** Starts every client that is here, for real, and looks at what hooks do in it. */
export async function prove(question: Question): Promise<Report> {
  const { origin, adapters, installation, theirs: known } = question;
  const site = siteOf(origin.env, origin.root || "/", installation.shell);
  const theirs = theirFiles(site, origin);
  const before = fingerprints(theirs);
  const clients: ClientReport[] = [];
  for (const found of await clientsHere(adapters, origin.env))
    clients.push(await proveClient(question, site, found));
  const changed = touched(before, fingerprints(theirs));
  const isProven = clients.some(({ version }) => version !== "") && clients.every(isGood);
  const { without, mistakes } = known;
  const ok = isProven && changed.length === 0 && mistakes === 0;
  return { ok, clients, touched: changed, without, mistakes };
}

const isGood = ({ version, why, events, hooks, causes: wrong }: ClientReport): boolean =>
  (version === "" || why === "") &&
  wrong.length === 0 &&
  events.every(({ state }) => state !== "failed") &&
  hooks.every(({ state }) => state !== "fails");

/** Hooks, and settings of harnesses: all that we could have reason to write. */
const theirFiles = (site: Site, { root, env }: Origin): string[] => [
  ...(root === "" ? [] : [pathAt(".anyhook", site)]),
  ...[userRoot(env)].filter((path) => path !== ""),
  ...ADAPTERS.flatMap(({ settings }) => [
    ...SCOPES.flatMap((scope) => settings.files[scope] ?? []),
    ...(settings.off ?? []).map(({ file }) => file),
    ...(settings.trusted ? [settings.trusted.file] : []),
  ]).map((template) => pathAt(template, site)),
];

const NOTHING: Omit<ClientReport, "harness" | "title" | "version" | "why"> = {
  ...{ connection: "", causes: [], events: [], hooks: [] },
  ...{ timing: undefined, native: undefined },
};

/** What goes wrong with one client is no reason to leave the others out. */
async function proveClient(question: Question, site: Site, found: Found): Promise<ClientReport> {
  const { adapter, client, why } = found;
  const { id: harness, title } = adapter;
  if (!client) return { harness, title, version: "", why, ...NOTHING };
  const base = { harness, title, version: client.version };
  try {
    return { ...base, why: "", ...(await played(question, site, adapter, client)) };
  } catch (error) {
    const isTheirs = error instanceof Fault && EVERYBODYS.includes(error.code);
    if (isTheirs) throw error;
    return { ...base, ...NOTHING, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Faults that the next client would meet as well. */
const EVERYBODYS = ["real-key", "no-loopback", "no-stage"];

async function played(
  { origin, installation, events, hook, native, theirs, progress: say }: Question,
  site: Site,
  adapter: Adapter,
  client: Client,
): Promise<typeof NOTHING> {
  const progress = (what: string): void => say(`${adapter.title} ${client.version}: ${what}`);
  const { compiled } = theirs;
  const isWhole = hook === undefined;
  const proofs = isWhole
    ? await clientProof(client, adapter, installation, { events, progress })
    : [];
  const isTimed = isWhole && compiled.hooks.length > 0;
  const own = await ownProof({
    ...{ origin, installation, site, adapter, client, compiled, isTimed, progress },
  });
  const rows = native ? await duels(client, adapter, installation, progress) : undefined;
  const { said, ...rest } = own;
  const wrong = [...causes(adapter, site), ...said.map((line) => `it says: ${line.trim()}`)];
  return { causes: wrong, events: proofs, ...rest, native: rows };
}
