import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { encodeMeta, encodeRow } from "../dispatch/rows.ts";
import type { Layout } from "../dispatch/layout.ts";
import { EVENT_NAMES } from "../events.ts";
import { sealLedger } from "../ledger/seal.ts";
import { ADAPTERS } from "../adapters/_all.ts";
import type { EventSettings, Hook } from "../model.ts";
import type { Compiled } from "./compile.ts";
import { ASYNC_LIMIT, FAILURE_BUDGET } from "./event-settings.ts";
import { quietly } from "./discover.ts";
import { renderGate, type Watch } from "./gate.ts";
import { saidWrong } from "./said-wrong.ts";

const GENERATIONS_KEPT_MS = 10 * 60_000;

/** The manifest's text: a pure function of content, one line per hook × event. */
export const manifestText = (hooks: readonly Hook[]): string =>
  hooks.map((hook) => `${encodeRow(hook)}\n`).join("");

/**
 * Writes what was compiled and switches to it at once: readers learn the generation from one file
 * (gate), which is renamed into place after everything that it names is there.
 */
export function publishCompiled(layout: Layout, compiled: Compiled, watch: Watch): string {
  const text = manifestText(compiled.hooks);
  const id = generationId(text, compiled.settings);
  const generation = join(layout.slot, "gen", id);
  writeContents(layout.slot, "dfa", compiled.automata);
  writeContents(layout.slot, "bundles", compiled.bundles);
  keepOutgoing(layout.slot, id);
  writeGeneration(generation, compiled, id);
  replace(join(layout.slot, "hooks.json"), JSON.stringify(describe(compiled)));
  replace(join(layout.slot, "hooks-manifest"), text);
  replace(join(layout.slot, "content-hash"), `${watch.hash}\n`);
  const wrong = saidWrong(compiled.diagnostics, layout.root);
  replace(join(layout.slot, "gate"), renderGate(generation, watch, wrong));
  rmSync(join(layout.slot, "failed"), { force: true });
  // One line per compile: how one sees that N sessions and one edit made one compile.
  appendFileSync(join(layout.slot, "compiles"), `${new Date().toISOString()} ${id}\n`);
  // The hooks are published: what cannot be sealed now is sealed another time.
  quietly(() => sealLedger(layout.ledger));
  sweepGenerations(join(layout.slot, "gen"), id);
  sweepStamps(layout.slot, watch.stamp);
  sweepOld(join(layout.slot, "run"), 3_600_000);
  for (const folder of ["state", "inbox", "queue", "queue/lost"])
    sweepOld(join(layout.slot, folder), 30 * 86_400_000);
  return id;
}

function generationId(text: string, settings: Readonly<Record<string, EventSettings>>): string {
  const hash = createHash("sha256").update(text).update(JSON.stringify(settings));
  return hash.digest("hex").slice(0, 12);
}

/** One small file per event, so that an event does not pay for the hooks of the others. */
function writeGeneration(generation: string, compiled: Compiled, id: string): void {
  mkdirSync(join(generation, "index"), { recursive: true });
  // Every event has its file, hooks or not: one that is missing is damage.
  const events = new Set<string>([...EVENT_NAMES, ...ADAPTERS.flatMap(({ observes }) => observes)]);
  for (const event of events) {
    const rows = compiled.hooks.filter((hook) => hook.event === event);
    const meta = encodeMeta(settingsOf(compiled, event), id, rows.length);
    ensure(join(generation, "index", event), `${meta}\n${manifestText(rows)}`);
  }
}

/** Written when it is not there, or not as it should be: a damaged store heals. */
function ensure(file: string, content: string): void {
  if (readIfThere(file) !== content) replace(file, content);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Its age counts from the moment it is replaced: dispatches under way still read it. */
function keepOutgoing(slot: string, next: string): void {
  const now = new Date();
  for (const name of readdirSync(join(slot, "gen"))) {
    const current = readIfThere(join(slot, "gate"))?.includes(`/gen/${name}'`);
    if (current && name !== next) utimesSync(join(slot, "gen", name), now, now);
  }
}

const OBSERVED: EventSettings = {
  chain: "run-all",
  blockable: false,
  raw: false,
  recordPayload: false,
  contextLimit: 10_000,
  failureBudget: FAILURE_BUDGET,
  asyncLimit: ASYNC_LIMIT,
};

const settingsOf = (compiled: Compiled, event: string): EventSettings =>
  (compiled.settings as Readonly<Record<string, EventSettings>>)[event] ?? OBSERVED;

function writeContents(slot: string, folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(join(slot, folder), { recursive: true });
  for (const [name, content] of files) {
    ensure(join(slot, folder, name), content);
  }
}

function describe(compiled: Compiled): unknown {
  return {
    definitions: compiled.definitions,
    diagnostics: compiled.diagnostics,
    hooks: compiled.hooks,
    settings: compiled.settings,
  };
}

export function replace(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** Dispatches under way may still read the generation before this one. */
function sweepGenerations(folder: string, current: string): void {
  for (const name of readdirSync(folder)) {
    const age =
      Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (name !== current && age > GENERATIONS_KEPT_MS)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** A dispatch that still holds the old gate finds its stamp gone and looks again. */
function sweepStamps(slot: string, current: string): void {
  for (const name of readdirSync(slot))
    if (name.startsWith("stamp") && join(slot, name) !== current)
      rmSync(join(slot, name), { force: true });
}

/** What a killed dispatch or a forgotten session has left. */
function sweepOld(folder: string, age: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() && Date.now() - stat.mtimeMs > age) rmSync(file, { force: true });
  }
}
