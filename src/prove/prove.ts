import { ADAPTERS } from "../adapters/_all.ts";
import { type Adapter } from "../adapters/_contract.ts";
import { SCOPES } from "../adapters/_settings.ts";
import { compile, type Compiled } from "../compile/compile.ts";
import { layerRoots, type Installation } from "../compile/materialize.ts";
import { userRoot } from "../dispatch/layout.ts";
import type { EventName } from "../events.ts";
import { pathAt, siteOf, type Site } from "../install/site.ts";
import { causes } from "./causes.ts";
import { clientProof, type EventProof } from "./client-proof.ts";
import { clientsHere, type Found } from "./clients-here.ts";
import { copied, type Origin } from "./copied.ts";
import { duels, type DuelRow } from "./native.ts";
import type { HookProof } from "./own-hooks.ts";
import { ownProof } from "./own-proof.ts";
import { makeStage } from "./stage.ts";
import type { Timing } from "./timing.ts";
import { fingerprints, touched } from "./untouched.ts";

export interface Question {
  readonly origin: Origin;
  readonly installation: Installation;
  readonly adapters: readonly Adapter[];
  readonly events: readonly EventName[];
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
  /** Why it was not proven. */
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
}

/** Starts every client that is here, for real, and looks at what hooks do in it. */
export async function prove(question: Question): Promise<Report> {
  const { origin, adapters, installation } = question;
  const site = siteOf(origin.env, origin.root || "/", installation.shell);
  const theirs = theirFiles(site, origin);
  const before = fingerprints(theirs);
  const compiled = await theirHooks(question);
  const clients: ClientReport[] = [];
  for (const found of await clientsHere(adapters, origin.env))
    clients.push(await proveClient(question, site, found, compiled));
  const changed = touched(before, fingerprints(theirs));
  const isProven = clients.some(({ version }) => version !== "") && clients.every(isGood);
  return { ok: isProven && changed.length === 0, clients, touched: changed };
}

const isGood = ({ events, hooks, causes: wrong }: ClientReport): boolean =>
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

async function theirHooks({ origin, installation, events, hook }: Question): Promise<Compiled> {
  const stage = makeStage();
  try {
    copied(origin, stage);
    const compiled = await compile({
      roots: layerRoots(stage.project, { HOME: stage.home }),
      projectRoot: stage.project,
      libraryFile: installation.library,
      nodePath: process.execPath,
    });
    const isWanted = ({ name, event }: Compiled["hooks"][number]): boolean =>
      (hook === undefined || name === hook) && (events as readonly string[]).includes(event);
    return { ...compiled, hooks: compiled.hooks.filter(isWanted) };
  } finally {
    stage.clear();
  }
}

async function proveClient(
  { origin, installation, events, hook, native, progress: say }: Question,
  site: Site,
  { adapter, client, why }: Found,
  compiled: Compiled,
): Promise<ClientReport> {
  const { id: harness, title } = adapter;
  const nothing = {
    causes: [],
    events: [],
    hooks: [],
    timing: undefined,
    native: undefined,
  } as const;
  if (!client) return { harness, title, version: "", why, connection: "", ...nothing };
  const progress = (what: string): void => say(`${title} ${client.version}: ${what}`);
  const isWhole = hook === undefined;
  const base = { harness, title, version: client.version, why: "" };
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
  return { ...base, causes: wrong, events: proofs, ...rest, native: rows };
}
