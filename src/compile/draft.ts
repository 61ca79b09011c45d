import type { Diagnostic } from "../model.ts";
import type { Definition, Form, LayerRoot } from "./_definition.ts";
import { type Fields, type Report, extraOf, isFatal } from "./fields.ts";
import { matcherOf } from "./conditions.ts";
import type { Handler } from "./handler.ts";
import type { Inspect, ModuleInfo } from "./inspect-module.ts";
import { cleanName, isName } from "./names.ts";
import { advisePlaceholders } from "./placeholder-advice.ts";
import { codeInArguments, templates } from "./templates.ts";

/** A definition on its way through the compiler. */
export interface Draft extends Definition {
  /** There is an error in it: listed and reported, not run. */
  readonly bad: boolean;
  /** Set when it is configured well and still cannot run. */
  readonly broken: string;
  /** The name was made up from its command, so it says nothing about which hook is meant. */
  readonly nameless: boolean;
}

export interface DraftReading {
  readonly definitions: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
  /** Nothing in the file could be understood: what it said before stays in force. */
  readonly failed?: boolean;
}

/** What a reader knows about the place where a file was found. */
export interface Place extends LayerRoot {
  readonly projectRoot: string;
  readonly libraryFile: string;
  readonly nodePath: string;
  /** How a bundle is looked into, where a child process and its files are not wanted. */
  readonly inspect?: Inspect | undefined;
  /** Bundles are loaded from memory: what they know of their own address is the source's. */
  readonly inMemory?: boolean | undefined;
  /** Modules that were already bundled and looked into, by absolute file. */
  readonly modules: Map<string, ModuleInfo>;
}

export interface Origin {
  readonly form: Form;
  readonly file: string;
  readonly line: number;
  readonly index: number;
  readonly nameless?: boolean;
}

/** Joins what was read into one definition; whether it is good depends on the report. */
export function draft(
  place: LayerRoot,
  from: Origin,
  fields: Fields,
  run: Handler,
  report: Report,
): Draft {
  const { form, file, line, index, nameless = false } = from;
  const events = fields.events ?? [];
  const matcher = matcherOf(fields.matcher, events, form, report);
  checkName(report, line);
  checkTemplates(run, line, report);
  advisePlaceholders(run, events, line, report);
  const { kind, extra = {}, broken = "" } = run;
  return {
    form,
    layer: place.layer,
    file,
    line,
    index,
    nameless,
    broken,
    matcher,
    events,
    kind,
    name: report.hook,
    description: fields.description ?? "",
    run: run.run,
    extra: { ...extraOf(fields), ...extra },
    ...options(fields),
    bad: report.diagnostics.some(isFatal) || (events.length === 0 && fields.enabled !== false),
  };
}

type Options = Omit<
  Definition,
  | "form"
  | "layer"
  | "file"
  | "line"
  | "index"
  | "name"
  | "description"
  | "events"
  | "kind"
  | "run"
  | "matcher"
  | "extra"
>;

function options(fields: Fields): Options {
  return {
    order: fields.order ?? 0,
    block: fields.block,
    timeout: fields.timeout,
    onFailure: fields.on_failure ?? "allow",
    chain: fields.chain ?? "",
    async: fields.async ?? false,
    once: fields.once ?? false,
    notify: fields.notify !== undefined,
    reentrant: fields.reentrant ?? false,
    payload: fields.payload ?? "",
    harness: fields.harness ?? [],
    enabled: fields.enabled ?? true,
    pending: fields.status === "pending",
  };
}

function checkName(report: Report, line: number): void {
  if (isName(report.hook)) return;
  const hint = `letters, digits and . _ : / # - are allowed: ${cleanName(report.hook) || "my-hook"}`;
  report.say("error", line, "bad-name", `"${report.hook}" cannot be a name`, hint);
}

function checkTemplates({ kind, run }: Handler, line: number, report: Report): void {
  const inList = kind === "exec" ? codeInArguments(JSON.parse(run) as string[]) : "";
  const problem = kind === "shell" ? templates(run).problem : inList;
  if (problem === "") return;
  const hint = "give it as an argument: sh -c '… \"$1\" …' sh {file}";
  report.say("error", line, "bad-placeholder", `command: ${problem}`, hint);
}

/** A hook without an event never runs; an entry that only switches one off needs none. */
export function requireEvents(fields: Fields, line: number, report: Report, hint: string): void {
  if (fields.events || fields.enabled === false) return;
  if (report.diagnostics.some(({ message }) => message.startsWith("events:"))) return;
  report.say("error", line, "missing-events", "says no event, so it would never run", hint);
}
