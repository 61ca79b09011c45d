import { suggest } from "../events.ts";
import { type Diagnostic, LAYERS, type Layer } from "../model.ts";
import { byBytes } from "./discover.ts";
import type { Draft } from "./draft.ts";
import { reportOn } from "./fields.ts";

export type State = "active" | "disabled" | "pending" | "shadowed" | "bad";

export type Placed = Draft & { readonly state: State };

/** A `disabled:` list, and where it stands. */
export interface Disabled {
  readonly layer: Layer;
  readonly file: string;
  readonly names: readonly string[];
}

export interface Layered {
  readonly drafts: readonly Placed[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Keeping {
  /** A bad one whose last good version runs on. */
  readonly keeps: (draft: Draft) => boolean;
  /** Names of rows that run on without a draft, and their rank. */
  readonly claims: ReadonlyMap<string, number>;
}

/** Who counts when several layers speak. */
export function layers(
  drafts: readonly Draft[],
  disabled: readonly Disabled[],
  { keeps, claims }: Keeping,
): Layered {
  const diagnostics: Diagnostic[] = disabled.flatMap((list) => uselessNames(list, drafts));
  const placed = [...byName(drafts)].flatMap(([name, group]) => {
    const top = Math.min(claim(group, keeps), claims.get(name) ?? LAYERS.length);
    const states = group.toSorted(byPlace).map((draft): Placed => {
      const state = rank(draft) > top ? "shadowed" : stateOf(draft, disabled);
      if (state === "shadowed" && top === 0) diagnostics.push(overManaged(draft));
      return { ...draft, state };
    });
    return distinct(states, diagnostics);
  });
  return { drafts: placed, diagnostics };
}

function byName(drafts: readonly Draft[]): Map<string, Draft[]> {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) groups.set(draft.name, [...(groups.get(draft.name) ?? []), draft]);
  return groups;
}

const rank = ({ layer }: { readonly layer: Layer }): number => LAYERS.indexOf(layer);

/** The rank that owns the name. Made-up names own nothing: two `prettier` commands are two hooks. */
function claim(group: readonly Draft[], keeps: (draft: Draft) => boolean): number {
  const owners = group.filter((draft) => !draft.nameless && (!draft.bad || keeps(draft)));
  return Math.min(LAYERS.length, ...owners.map(rank));
}

function stateOf(draft: Draft, disabled: readonly Disabled[]): State {
  const off = disabled.some((list) => list.names.includes(draft.name) && rank(list) <= rank(draft));
  if (off || !draft.enabled) return "disabled";
  if (draft.bad) return "bad";
  return draft.pending ? "pending" : "active";
}

const byPlace = (a: Draft, b: Draft): number =>
  rank(a) - rank(b) || byBytes(a.file, b.file) || a.index - b.index;

/** Every name is one hook; only the same handler at another event goes by the same name. */
function distinct(group: readonly Placed[], diagnostics: Diagnostic[]): Placed[] {
  const taken: Placed[] = [];
  return group.map((draft) => {
    if (draft.state !== "active" && draft.state !== "pending") return draft;
    const clash = taken.find((other) => !isSameElsewhere(other, draft));
    taken.push(draft);
    if (!clash) return draft;
    const name = `${draft.name}#${taken.length}`;
    if (!draft.nameless) diagnostics.push(duplicate(draft, clash, name));
    return { ...draft, name };
  });
}

const isSameElsewhere = (a: Draft, b: Draft): boolean =>
  a.run === b.run && a.kind === b.kind && a.events.every((event) => !b.events.includes(event));

function duplicate(draft: Draft, first: Draft, name: string): Diagnostic {
  const report = reportOn(draft.file, name);
  const message = `"${draft.name}" is also the name of the hook in ${first.file}:${first.line}`;
  report.say(
    "warning",
    draft.line,
    "duplicate-name",
    message,
    `both run; this one goes by ${name}: rename it`,
  );
  return report.diagnostics[0]!;
}

function overManaged(draft: Draft): Diagnostic {
  const report = reportOn(draft.file, draft.name);
  const message = draft.enabled
    ? `"${draft.name}" is a managed hook and cannot be replaced from here`
    : `"${draft.name}" is a managed hook and cannot be disabled from here`;
  report.say(
    "warning",
    draft.line,
    "managed-hook",
    message,
    "choose another name, or ask whoever manages this machine",
  );
  return report.diagnostics[0]!;
}

/** A user's list may name hooks of other projects, so only slips and forbidden ones are reported. */
function uselessNames(list: Disabled, drafts: readonly Draft[]): Diagnostic[] {
  const report = reportOn(list.file, "");
  for (const name of list.names) {
    const meant = drafts.filter((draft) => draft.name === name);
    const near = suggest(
      name,
      drafts.map((draft) => draft.name),
    );
    if (meant.length === 0 && near !== undefined) {
      report.say(
        "warning",
        0,
        "unknown-hook",
        `disabled: there is no hook "${name}"`,
        `did you mean "${near}"?`,
      );
    } else if (meant.length > 0 && meant.every((draft) => rank(draft) < rank(list))) {
      const message = `disabled: "${name}" belongs to the ${meant[0]!.layer} layer and cannot be disabled from here`;
      report.say(
        "warning",
        0,
        "managed-hook",
        message,
        `disable it in the ${meant[0]!.layer} layer`,
      );
    }
  }
  return report.diagnostics;
}
