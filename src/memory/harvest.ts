import { isObject, scalarText } from "../dispatch/occurrence.ts";
import type { Item, Origin, Signal } from "./_memory.ts";
import { corrections } from "./corrections.ts";
import { printedIn, withoutEchoes } from "./echoes.ts";
import { callId, tellingLine } from "./envelope.ts";
import { tags } from "./tags.ts";
import { type Fields, type Turn, turnsOf } from "./turns.ts";

export interface Harvest {
  readonly items: readonly Item[];
  readonly signals: readonly Signal[];
}

/**
 * What the lines of a transcript hold: tags, corrections, and calls that failed or edited. What tools
 * printed in the lines before is asked for only when the agent has tagged something.
 */
export function harvest(
  lines: readonly string[],
  origin: Origin,
  now: string,
  before: () => readonly string[] = () => [],
): Harvest {
  const turns = lines.flatMap(turnsOf);
  const said = turns.flatMap((turn) => (turn.type === "said" ? itemsOf(turn, origin, now) : []));
  const isSpoken = said.some(({ author }) => author === "assistant");
  const items = isSpoken ? withoutEchoes(said, [...before(), ...printedIn(turns)]) : said;
  return { items, signals: signalsOf(turns, origin, now) };
}

/** Tags are accepted, whoever of the two wrote them; what sounds like a correction is a candidate. */
export function itemsOf(
  { by, text, at }: { by: "user" | "assistant"; text: string; at: string },
  origin: Origin,
  now: string,
): Item[] {
  const time = at || now;
  const base = { ...origin, author: by, at: time, paths: [], key: "" };
  const tagged = tags(text).map(({ tag, scope, text: said }) => ({
    ...base,
    ...{ kind: tag, text: said, status: "accepted" as const },
    scope: scope === "branch" && origin.branch !== "" ? `branch:${origin.branch}` : scope,
    evidence: `${origin.session}:${time}`,
  }));
  if (by === "assistant") return tagged;
  const corrected = corrections(text).map((said) => ({
    ...base,
    ...{ kind: "preference" as const, text: said, status: "candidate" as const, scope: "project" },
    evidence: `${origin.session}:${time}`,
  }));
  return [...tagged, ...corrected];
}

const EDITS = /^(?:Edit|Write|MultiEdit|NotebookEdit|apply_patch)$/;

/** Failures, edits and commands: what incidents are made of. */
function signalsOf(turns: readonly Turn[], origin: Origin, now: string): Signal[] {
  const failed = new Map(
    turns.flatMap((turn) => (turn.type === "failed" ? [[turn.id, turn.text] as const] : [])),
  );
  const calls = turns.flatMap((turn) => (turn.type === "called" ? [turn] : []));
  const made = calls.map(({ id, tool, input, at }): Signal => {
    const error = failed.get(id);
    const command = scalarText(input["command"] ?? input["cmd"]);
    const isPatch = command.startsWith("*** Begin Patch");
    const paths = isPatch ? patched(command) : pathsOf(input);
    return {
      ...{ id: callId(origin.session, id), at: at || now, tool },
      ...{ session: origin.session, harness: origin.harness, cwd: "" },
      outcome: error === undefined ? "ok" : "failed",
      subject: (isPatch || command === "" ? (paths[0] ?? tool) : command).slice(0, 4096),
      detail: error === undefined ? "" : tellingLine(error).slice(0, 400),
      paths,
    };
  });
  const matters = ({ outcome, tool, subject }: Signal): boolean =>
    outcome === "failed" || EDITS.test(tool) || /\bgit\s/.test(subject);
  return [...made.filter(matters), ...takenBack(calls, origin, now)];
}

const pathsOf = (input: Fields): string[] =>
  ["file_path", "path", "notebook_path"]
    .map((key) => scalarText(input[key]))
    .filter((one) => one !== "");

const patched = (patch: string): string[] =>
  [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) => path!);

/** An edit that puts back exactly what an earlier one replaced. */
function takenBack(
  calls: readonly Extract<Turn, { type: "called" }>[],
  origin: Origin,
  now: string,
): Signal[] {
  const seen = new Set<string>();
  return calls.flatMap(({ id, input, at }) => {
    const { file_path: file, old_string: old, new_string: fresh } = input;
    if (!isObject(input) || typeof old !== "string" || typeof fresh !== "string") return [];
    const path = scalarText(file);
    const isInverse = seen.has(`${path}\n${fresh}\n${old}`);
    seen.add(`${path}\n${old}\n${fresh}`);
    if (!isInverse) return [];
    const of = { session: origin.session, harness: origin.harness, cwd: "" };
    const what = {
      tool: "reverted",
      outcome: "ok" as const,
      subject: path,
      detail: "",
      paths: [path],
    };
    return [{ id: callId(origin.session, `${id}-back`), at: at || now, ...of, ...what }];
  });
}
