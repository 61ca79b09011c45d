import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { nativeEvent, type Adapter, type Surface } from "../src/adapters/_contract.ts";
import { sliceAt } from "../src/dispatch/canonical.ts";
import { dispatchEvent, type Dispatched } from "../src/dispatch/dispatch.ts";
import type { Memory } from "../src/dispatch/memory.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { rewritesAt } from "../src/dispatch/rewrites.ts";
import { factsOf, resolveEvent, type EventName } from "../src/events.ts";
import { PASS } from "../src/handlers/_verdict.ts";
import type { Hook, Outcome, VerdictKind } from "../src/model.ts";
import { REPO } from "./_dispatch.ts";

/** What one harness's folder of fixtures says about itself, beside its payloads. */
export interface Rules {
  /** Surfaces of which no client has sent us a payload, and why. */
  readonly uncaptured?: Readonly<Record<string, string>>;
  /** Texts that must never stand in a reply: event → kind ("*" = every) → texts. */
  readonly never?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Verdicts that must not be offered: event → kinds. */
  readonly unsaid?: Readonly<Record<string, readonly VerdictKind[]>>;
}

export const folderOf = (id: string, kind: string): string => join(REPO, "test/fixtures", id, kind);

export const filesIn = (id: string, kind: string): string[] => {
  const folder = folderOf(id, kind);
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};

export function rulesOf(id: string): Rules {
  const file = folderOf(id, "rules.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Rules) : {};
}

export interface Captured {
  readonly adapter: Adapter;
  readonly file: string;
  readonly native: string;
  readonly event: string;
  readonly surface: Surface | undefined;
  readonly payload: Buffer;
  /** Written from the vendor's documentation or code, not sent by a client. */
  readonly documented: boolean;
}

/** Every payload of every harness: the file's name begins with the native event's. */
export const CAPTURED: readonly Captured[] = ADAPTERS.flatMap((adapter) =>
  ["payloads", "documented"].flatMap((kind) =>
    filesIn(adapter.id, kind).map((file) => captured(adapter, kind, file)),
  ),
);

function captured(adapter: Adapter, kind: string, file: string): Captured {
  const native = file.split(/--|\.json/)[0]!;
  const payload = readFileSync(join(folderOf(adapter.id, kind), file));
  const named = nativeEvent(adapter, native) ?? resolveEvent(native) ?? native;
  const surfaces: Readonly<Record<string, Surface>> = adapter.surfaces;
  const { turns } = surfaces[named] ?? {};
  const turned = turns?.field.split("|").some((path) => sliceAt(payload.toString(), path));
  const event = turned ? turns!.into : named;
  const documented = kind === "documented";
  return { adapter, file, native, event, surface: surfaces[event], payload, documented };
}

const ROOT = "/home/dev/shop";

/** One hook that may block has said this; no process runs. */
export function answered(one: Captured, kind: VerdictKind): Promise<Dispatched> {
  const { adapter, payload } = one;
  const event = decodeOccurrence(adapter, one.event, payload, ROOT);
  const hook = {
    name: "h",
    event: one.event,
    block: true,
    harness: [],
    matcher: [],
    needs: [],
    chain: "",
    payload: "",
    source: "h.sh:1",
    layer: "project",
  } as unknown as Hook;
  const changes = kind === "rewrite" && rewritesAt(one.event) === "tool_input";
  const outcome: Outcome = {
    hook,
    status: "ok",
    exit: 0,
    verdict: {
      ...PASS,
      kind,
      reason: kind === "pass" ? "" : 'say "no"',
      context: kind === "pass" ? "more" : "",
      ...(changes
        ? { input: '{"command":"ls","file_path":"/tmp/x","added":1.50}', inputMode: "merge" }
        : {}),
    },
    stderr: "",
    stdout: "",
    detail: "",
    ms: 0,
  };
  return dispatchEvent({
    ...{
      adapter,
      event,
      payload,
      root: ROOT,
      slot: "",
      env: {},
      library: "",
      ignored: "",
      notice: "",
    },
    surface: one.surface!,
    index: {
      settings: {
        chain: "run-all",
        blockable: factsOf(one.event as EventName).block,
        raw: false,
        recordPayload: false,
        contextLimit: 10_000,
        failureBudget: 5,
        asyncLimit: 4,
      },
      manifest: "",
      hooks: [hook],
      damaged: [],
      automaton: () => undefined,
    },
    switches: { off: false, paused: false, skip: [], depth: 0, state: "", memory: memory() },
    rewrites: rewritesAt(one.event),
    budget: 1000,
    lane: "node",
    progress: { done: () => outcome, starts: () => {}, ended: () => {}, abandon: () => {} },
    detach: () => "",
  });
}

/** Of one dispatch. */
function memory(): Memory {
  const kept = new Map<string, string>();
  return { read: (name) => kept.get(name), write: (name, text) => void kept.set(name, text) };
}
