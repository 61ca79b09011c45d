import { join } from "node:path";
import { parseAutomaton, type Automaton } from "../dispatch/automaton.ts";
import { matchEvent } from "../dispatch/match.ts";
import type { Condition, Hook, Occurrence } from "../model.ts";
import type { Turn } from "./model/script.ts";
import { sample } from "./sample.ts";

/** How one hook at one event can be reached: by a call, by what the user says, or by a scene as it is. */
export type Reaching =
  | {
      readonly turns: readonly Turn[];
      /** A file, relative to the project, that is there when the call has run; or "". */
      readonly leaves: string;
      /** One that must be there before. */
      readonly wants: string;
    }
  | { readonly words: string }
  | { readonly scene: "tools" | "sub-agent" | "compact" | "permission" }
  /** There is no harmless way. */
  | { readonly never: string };

export interface Finding {
  readonly project: string;
  readonly automata: ReadonlyMap<string, string>;
  /** Part of the names of files that calls leave. */
  readonly tag: string;
}

const SCENES: Readonly<Record<string, Extract<Reaching, { scene: string }>["scene"]>> = {
  SubagentStart: "sub-agent",
  SubagentStop: "sub-agent",
  PreCompact: "compact",
  PostCompact: "compact",
};

const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];

/** The first occurrence that the hook's matcher lets pass, of those that harm nobody. */
export function reaching(hook: Hook, finding: Finding): Reaching {
  if (TOOL_EVENTS.includes(hook.event)) return byCall(hook, finding);
  if (hook.event === "UserPromptSubmit") return byWords(hook, finding);
  const sources = hook.event === "SessionStart" ? ["startup", "compact"] : [""];
  const source = sources.find((one) =>
    isMatched(hook, finding, { source: one, trigger: "auto", agent_type: "general-purpose" }),
  );
  if (source === undefined) return { never: `no session here has ${conditions(hook)}` };
  return { scene: source === "compact" ? "compact" : (SCENES[hook.event] ?? "tools") };
}

/** Characters that mean nothing between single quotes, in any shell, and read well. */
const QUIET =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./=:,@%+~^#&|;<>()[]{}*?!$"\\`';
const FILE_NAME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";

function byWords(hook: Hook, finding: Finding): Reaching {
  const tries = ["Do your work.", textFor(hook, finding, "prompt", QUIET)];
  const words = tries.find(
    (one) => one !== undefined && isMatched(hook, finding, { prompt: `${one} (script:main)` }),
  );
  return words === undefined ? { never: `no prompt of ours has ${conditions(hook)}` } : { words };
}

function byCall(hook: Hook, finding: Finding): Reaching {
  const found = calls(hook, finding).find(({ event }) => isMatched(hook, finding, event));
  if (!found) return { never: `no harmless call has ${conditions(hook)}` };
  return found.reached;
}

interface Candidate {
  readonly event: Readonly<Record<string, unknown>>;
  readonly reached: Extract<Reaching, { leaves: string }>;
}

/** Commands do nothing but leave a file: what a matcher looks for stands there as a quoted word. */
function calls(hook: Hook, finding: Finding): Candidate[] {
  const { project, tag } = finding;
  const looked = textFor(hook, finding, "tool_input.command", QUIET);
  const left = `proof-${tag}.txt`;
  const fails = hook.event === "PostToolUseFailure" ? "; exit 3" : "";
  const shells = ["", looked]
    .filter((text) => text !== undefined)
    .map((text) => `: '${text}'; echo ran >${left}${fails}`);
  const named = pathFor(hook, finding) ?? left;
  const path = join(project, named);
  const content = textFor(hook, finding, "tool_input.content", QUIET) ?? "proof\n";
  const file = { file_path: path, cwd: project };
  const edits: Turn[] = [{ read: path }, { edit: path, from: BEFORE, to: content }];
  return [
    ...shells.map((command) => candidate("Bash", { command }, [{ shell: command }], left)),
    candidate("Write", { ...file, content }, [{ write: path, text: content }], named),
    candidate("Edit", { ...file, new_string: content }, edits, "", named),
    candidate("Read", file, [{ read: path }], "", named),
    candidate("Agent", {}, [{ agent: "part" }], ""),
  ];
}

/** What stands in a file that a call wants to find. */
export const BEFORE = "before";

const candidate = (
  tool: string,
  input: object,
  turns: readonly Turn[],
  leaves: string,
  wants = "",
): Candidate => ({
  event: { tool_name: tool, tool_input: input },
  reached: { turns, leaves, wants },
});

/** A text that fulfils the conditions on one field; undefined when there are none, or it cannot be. */
function textFor(
  { matcher }: Hook,
  { automata }: Finding,
  path: string,
  characters: string,
): string | undefined {
  const texts = matcher
    .filter((condition) => condition.path === path)
    .map((condition) => sampleOf(condition, automata, characters));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join(" ");
}

function sampleOf(
  condition: Condition,
  automata: Finding["automata"],
  characters: string,
): string | undefined {
  if (condition.op === "re") return sample(automata.get(condition.dfa) ?? "", characters);
  return condition.values.find((value) => [...value].every((one) => characters.includes(one)));
}

/** Below the project, whatever the pattern says. */
function pathFor(hook: Hook, finding: Finding): string | undefined {
  const found = ["paths", "tool_input.file_path"]
    .map((path) => textFor(hook, finding, path, FILE_NAME))
    .find((text) => text !== undefined && text !== "");
  const inside = found?.replace(/^\/+/, "").replace(/\/$/, "/a");
  const parts = inside?.split("/") ?? [];
  // Packages on a stage are links to the person's own.
  return parts.includes("..") || parts[0] === "node_modules" ? undefined : inside;
}

function isMatched(
  hook: Hook,
  { project, automata }: Finding,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  const input = (payload["tool_input"] ?? {}) as Readonly<Record<string, string>>;
  const tool = (payload["tool_name"] ?? "") as string;
  const path = input["file_path"];
  const occurrence: Occurrence = {
    ...{ harness: "", event: hook.event, session: "proof", cwd: project, tool, id: "" },
    toolNames: tool === "" ? [] : [tool],
    paths: path === undefined ? [] : [path],
    localPaths: path === undefined ? [] : [path.slice(project.length + 1)],
    payload: { cwd: project, hook_event_name: hook.event, ...payload },
  };
  const read = (id: string): Automaton | undefined => {
    const text = automata.get(id);
    return text === undefined ? undefined : parseAutomaton(text);
  };
  return matchEvent(hook.matcher, occurrence, read);
}

const conditions = ({ matcher }: Hook): string =>
  matcher
    .map((one) => `${one.path} ${one.op === "eq" ? one.values.join("|") : `~ ${one.text}`}`)
    .join(" and ");
