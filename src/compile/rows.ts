import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import type { EventName } from "../events.ts";
import type { Condition, HandlerKind, Hook } from "../model.ts";
import type { DraftCondition, Form } from "./_definition.ts";
import type { Bundle } from "./bundle.ts";
import type { Draft } from "./draft.ts";
import type { Health } from "./health.ts";
import { templates } from "./templates.ts";

/** What rows refer to by content: each under the hash of its text. */
export interface Stored {
  readonly automata: Map<string, string>;
  readonly bundles: Map<string, string>;
}

export interface RowContext {
  readonly projectRoot: string;
  readonly nodePath: string;
  /** The bundle of a module or of a script that our own Node runs. */
  readonly bundleOf: (file: string) => Bundle | undefined;
  readonly mayBlock: (draft: Draft, event: EventName) => boolean;
  readonly stored: Stored;
  /** Instead of the kind's default. */
  readonly timeout?: number | undefined;
}

/** R12. */
const TIMEOUTS = {
  script: 5000,
  shell: 5000,
  exec: 5000,
  module: 5000,
  http: 5000,
  prompt: 30_000,
  agent: 60_000,
} as const satisfies Record<HandlerKind, number>;

/** R2: what `block` means when it is not written. */
const BLOCKS = {
  script: true,
  module: true,
  settings: true,
  claude: true,
  node: false,
  list: false,
} as const satisfies Record<Form, boolean>;

/** The manifest lines of one hook: one per event. */
export function rows(draft: Draft, health: Health, context: RowContext): Hook[] {
  const matcher = draft.matcher.map((condition) => stored(condition, context.stored));
  const { script, args } = templated(draft, scriptOf(draft, context));
  const { bundle: _, file: __, ...extra } = draft.extra;
  const source = `${portable(draft.file, context.projectRoot)}:${draft.line}`;
  return draft.events.map((event) => ({
    event,
    script,
    args,
    matcher,
    source,
    needs: health.needs,
    broken: health.broken,
    ...optionsOf(draft),
    block:
      (draft.block ?? (draft.onFailure === "block" || BLOCKS[draft.form])) &&
      !draft.async &&
      context.mayBlock(draft, event),
    timeout: draft.timeout ?? context.timeout ?? TIMEOUTS[draft.kind],
    extra: Object.keys(extra).length === 0 ? "" : JSON.stringify(extra),
  }));
}

/** What the row takes from the definition as it is. */
function optionsOf(draft: Draft) {
  const { name, kind, layer, order, onFailure, chain, once, reentrant, payload, harness } = draft;
  return {
    name,
    kind,
    layer,
    order,
    onFailure,
    chain,
    once,
    reentrant,
    payload,
    harness,
    async: draft.async,
    notify: draft.notify && draft.async,
  };
}

/** Argument lists and prompts are filled in by their handler; a shell line must be quoted for sh. */
const templated = ({ kind }: Draft, script: string): { script: string; args: readonly string[] } =>
  kind === "shell" ? templates(script) : { script, args: [] };

/** The manifest must not change when the project is moved. */
export function portable(file: string, projectRoot: string): string {
  if (projectRoot === "" || !isAbsolute(file)) return file;
  const path = relative(projectRoot, file);
  const outside = path === ".." || path.startsWith(`..${sep}`) || path === "";
  return outside ? file : path;
}

/** Where the dispatcher keeps bundles; filled in when the hook runs. */
export const BUNDLES = "{bundles}";

function scriptOf({ kind, run, extra }: Draft, context: RowContext): string {
  if (kind === "script") return portable(run, context.projectRoot);
  if (kind === "module") return bundleName(run, context) ?? portable(run, context.projectRoot);
  if (extra["bundle"] !== true) return run;
  const file = String(extra["file"]);
  const name = bundleName(file, context);
  const script = name ? `${BUNDLES}/${name}` : portable(file, context.projectRoot);
  return JSON.stringify([context.nodePath, script]);
}

function bundleName(file: string, { bundleOf, stored }: RowContext): string | undefined {
  const bundle = bundleOf(file);
  if (!bundle) return undefined;
  const code = bundle.plain ?? bundle.code;
  const name = `${address(code)}${bundle.plain === undefined ? ".mjs" : ".cjs"}`;
  stored.bundles.set(name, code);
  return name;
}

function stored(condition: DraftCondition, { automata }: Stored): Condition {
  if (condition.op === "eq") return condition;
  const { automaton, path, op, text } = condition;
  const dfa = address(automaton);
  automata.set(dfa, automaton);
  return { path, op, dfa, text };
}

const address = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);
