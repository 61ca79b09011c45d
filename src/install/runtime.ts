import type { Adapter } from "../adapters/_contract.ts";
import { compareVersions } from "./compare-versions.ts";
import type { Seen } from "./presence.ts";

/** native: its hooks call us; hookless: it has none; broken: it cannot start; absent: it is not here. */
export type Capability = "native" | "hookless" | "broken" | "absent";

export interface Judged {
  readonly capability: Capability;
  /** For people. */
  readonly why: string;
}

/** What was seen → what can be relied on (S2.1–S2.5). No parity that was not verified. */
export function capabilityOf({ title, presence }: Adapter, seen: Seen): Judged {
  const { program, version, traces, signs, trouble, inside } = seen;
  const here = [
    ...(program === "" ? [] : [program]),
    ...signs.map((name) => `${name} is set`),
    ...traces.slice(0, 1).map((trace) => `${trace} exists`),
  ];
  if (here.length === 0) {
    const looked = [...presence.programs.map((name) => `no ${name} on PATH`), ...presence.traces];
    return { capability: "absent", why: `${looked[0] ?? "nothing of it"}, and no trace of it` };
  }
  const found = here.join(", ");
  // Where we are inside of it, another program of it has started.
  if (trouble !== "" && inside.length === 0)
    return { capability: "broken", why: `${program} cannot start: ${trouble}` };
  if (presence.since === "") return { capability: "native", why: found };
  if (version === "") {
    const cause =
      program === "" && presence.programs.length > 0
        ? `but no ${presence.programs[0]} on PATH, so its version is unknown`
        : "but its version could not be found out";
    return {
      capability: "hookless",
      why: `${found}, ${cause}: hooks exist since ${presence.since}`,
    };
  }
  return compareVersions(version, presence.since) < 0
    ? {
        capability: "hookless",
        why: `${title} ${version} has no hooks: they exist since ${presence.since}`,
      }
    : { capability: "native", why: `${found}; ${version} has hooks (since ${presence.since})` };
}

export interface Candidate extends Judged {
  readonly id: string;
  readonly seen: Seen;
}

export interface Runtime {
  /** `<id>`, `<id>-native` where there is a hookless kind too, `<id>-hookless`, or `manual`. */
  readonly name: string;
  readonly id: string;
  readonly why: string;
}

/** The one that `auto` means: where we are, else what has hooks, else what is here, else by hand. */
export function runtimeOf(candidates: readonly Candidate[], adapters: readonly Adapter[]): Runtime {
  const rank = ({ capability, seen }: Candidate): number =>
    isOut(capability) ? 9 : seen.inside.length > 0 ? 0 : capability === "native" ? 1 : 2;
  const [best] = candidates.toSorted((a, b) => rank(a) - rank(b) || order(a, b, adapters));
  if (!best || isOut(best.capability)) {
    const why = candidates.some(({ capability }) => capability === "broken")
      ? "no harness was found that can start"
      : "no harness was found";
    return { name: "manual", id: "", why: `${why}: use inject, forge and flywheel` };
  }
  return { name: nameOf(best, adapters), id: best.id, why: best.why };
}

const isOut = (capability: Capability): boolean =>
  capability === "absent" || capability === "broken";

function nameOf({ id, capability }: Candidate, adapters: readonly Adapter[]): string {
  if (capability === "hookless") return `${id}-hookless`;
  return adapters.find((one) => one.id === id)?.presence.since === "" ? id : `${id}-native`;
}

const CLASSES: readonly Adapter["evidence"][] = ["proven", "source", "documentation"];

/** A harness that we drove before one that we only read about; then by name. */
function order(a: Candidate, b: Candidate, adapters: readonly Adapter[]): number {
  const at = ({ id }: Candidate): number =>
    CLASSES.indexOf(adapters.find((one) => one.id === id)?.evidence ?? "documentation");
  return at(a) - at(b) || (a.id < b.id ? -1 : 1);
}
