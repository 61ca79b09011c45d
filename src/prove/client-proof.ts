import type { Adapter, Surface } from "../adapters/_contract.ts";
import type { Installation } from "../compile/materialize.ts";
import { EVENT_NAMES, type EventName } from "../events.ts";
import { connected } from "./connected.ts";
import { EFFECTS, type Effect } from "./effects.ts";
import { FILES, probeFiles, probesAt } from "./probes.ts";
import { entriesAt, isStuck, ran, troubleIn, type Ran } from "./ran.ts";
import { SCENES, type Scene } from "./scenes.ts";
import type { Client } from "./session.ts";
import { makeStage } from "./stage.ts";

/** What one client does with hooks at one event, seen and not read. */
export interface EventProof {
  readonly event: EventName;
  /** held and failed were played; unreachable was not, and `why` says why. */
  readonly state: "held" | "failed" | "unreachable";
  readonly why: string;
  readonly fired: number;
  /** undefined: never two hooks at once. */
  readonly order: boolean | undefined;
  readonly effects: readonly { readonly what: string; readonly holds: boolean }[];
  /** Median of a dispatch, in milliseconds. */
  readonly ms: number;
}

export interface Wanted {
  readonly events: readonly EventName[];
  readonly progress: (what: string) => void;
}

type Runs = ReadonlyMap<string, Ran>;

/** Our own probes in the real client, at every event that it offers. */
export async function clientProof(
  client: Client,
  adapter: Adapter,
  installation: Installation,
  { events, progress }: Wanted,
): Promise<EventProof[]> {
  const offered = EVENT_NAMES.filter((event) => adapter.surfaces[event] && events.includes(event));
  const needed = offered.filter((event) => client.driver.unreachable[event] === undefined);
  const runs = new Map<string, Ran>();
  for (const scene of SCENES.filter(({ reaches }) => reaches.some((one) => needed.includes(one)))) {
    progress(scene.name);
    const one = await playScene(client, adapter, installation, scene);
    runs.set(scene.name, one);
    if (isStuck(one)) break;
  }
  return offered.map((event) => {
    const why = client.driver.unreachable[event];
    return why === undefined
      ? proofOf(event, adapter.surfaces[event]!, runs)
      : unreached(event, why);
  });
}

const playScene = (
  client: Client,
  adapter: Adapter,
  installation: Installation,
  { play, strict = false }: Scene,
): Promise<Ran> =>
  ran(client, {
    files: Object.values(FILES),
    stage() {
      const stage = makeStage();
      stage.write(probeFiles());
      return stage;
    },
    play: (stage) => ({
      ...play(stage),
      strict,
      ready: () => connected(adapter, stage, installation),
    }),
  });

const unreached = (event: EventName, why: string): EventProof => ({
  ...{ event, state: "unreachable", why, fired: 0, order: undefined, effects: [], ms: 0 },
});

function proofOf(event: EventName, surface: Surface, runs: Runs): EventProof {
  const entries = [...runs.values()].flatMap((one) => entriesAt(one, event));
  const seen = entries.filter(({ hooks }) => hooks.length > 0);
  const effects = EFFECTS.filter((effect) => effect.event === event && effect.able(surface)).map(
    (effect) => ({ what: effect.what, holds: isHeld(effect, runs) }),
  );
  const several = seen.filter(({ hooks }) => hooks.length > 1);
  const order = several.length === 0 ? undefined : several.every(isInOrder);
  const isGood = seen.length > 0 && order !== false && effects.every(({ holds }) => holds);
  return {
    ...{ event, state: isGood ? "held" : "failed", effects, order },
    why: seen.length === 0 ? nothingSeen(runs) : "",
    fired: seen.length,
    ms: median(seen.map(({ ms }) => ms)),
  };
}

const nothingSeen = (runs: Runs): string =>
  troubleIn([...runs.values()].flatMap(({ sessions }) => sessions)) || "no dispatch was recorded";

/** Nothing holds where nothing was called: a file that is missing because no tool ran is no proof. */
function isHeld({ scene, event, holds }: Effect, runs: Runs): boolean {
  const one = runs.get(scene);
  return one !== undefined && entriesAt(one, event).length > 0 && holds(one);
}

function isInOrder({ event, hooks }: Ran["entries"][number]): boolean {
  const planned = probesAt(event as EventName);
  const places = hooks.map(({ name }) => planned.indexOf(name));
  return places.every((place, i) => i === 0 || place > places[i - 1]!);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
