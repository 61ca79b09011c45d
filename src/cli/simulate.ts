import { join } from "node:path";
import { takesContext } from "../adapters/_contract.ts";
import { loadIndex } from "../dispatch/load.ts";
import { decodeOccurrence } from "../dispatch/occurrence.ts";
import { readLedger } from "../ledger/read.ts";
import type { Occurrence } from "../model.ts";
import type { Answer, Call } from "./_call.ts";
import { dispatcher, type Returned, understood } from "./_dispatcher.ts";
import { traceOf } from "./_entries.ts";
import { type Given, payloadOf } from "./_payload.ts";
import { type Chance, chances, laneOf, switchesOf } from "./_plan.ts";
import { type Fresh, freshen, NO_PROJECT_TEXT, rootHere } from "./_project.ts";
import { type At, surfaceNamed } from "./_surface.ts";
import { harmless } from "./_paint.ts";
import { indented, table } from "./_table.ts";
import { traceText } from "./_trace.ts";
import { count, listed } from "./_words.ts";
import { pausedSince } from "./pause.ts";

/** Who would run; with --run, what they answer. */
export async function simulate(call: Call): Promise<Answer> {
  const [harness = "", name = ""] = call.operands;
  const at = surfaceNamed(harness, name);
  const root = rootHere(call);
  const given = await payloadOf(call, at);
  const fresh = await freshen(call, root);
  const event = decodeOccurrence(at.adapter, at.event, Buffer.from(given.payload));
  return call.flag("run") ? ran(call, at, fresh, given, event) : planned(call, at, fresh, given, event);
}

function planned(call: Call, at: At, fresh: Fresh, given: Given, event: Occurrence): Answer {
  const { layout, compiled, manifest } = fresh;
  const index = {
    ...loadIndex(join(layout.slot, "gen", manifest), layout.slot, at.event),
    // The same rows, with the conditions as the user wrote them.
    hooks: compiled.hooks.filter((hook) => hook.event === at.event),
  };
  const switches = switchesOf(call.env, pausedSince(layout) !== undefined, layout.slot);
  const all = chances(index, event, switches);
  const lane = laneOf(all.filter(({ runs }) => runs).map(({ hook }) => hook));
  const json = {
    ...{ harness: at.adapter.id, event: at.event, tool: event.tool, paths: event.paths, lane },
    plan: all.map(({ hook, runs, why }) => ({ name: hook.name, order: hook.order, runs, why, block: hook.block, source: hook.source })),
  };
  return { exit: 0, json, text: planText(call, at, fresh, given, event, all, lane) };
}

function planText(call: Call, at: At, fresh: Fresh, given: Given, event: Occurrence, all: readonly Chance[], lane: string): string {
  const { paint, width } = call;
  const running = all.filter(({ runs }) => runs);
  const rows = all.map(({ hook, runs, why }) => {
    const place = runs ? paint.good(String(running.findIndex((one) => one.hook === hook) + 1)) : paint.quiet("-");
    const text = runs ? (hook.block ? "runs, may block" : "runs") : paint.quiet(harmless(why));
    return [place, runs ? paint.name(hook.name) : paint.quiet(hook.name), text];
  });
  return [
    ...(fresh.layout.root === "" ? [NO_PROJECT_TEXT] : []),
    `${paint.strong(`${at.adapter.title}, ${at.event}`)}${subject(event)}: ${powers(at)}.`,
    ...(given.from === "nothing" && all.some(({ hook }) => hook.matcher.length > 0) ? [paint.odd("No payload given: hooks that look at a tool, a command or a prompt cannot match.")] : []),
    "",
    all.length === 0 ? `  No hook is registered for ${at.event}.` : table(rows, { indent: 2, width }),
    "",
    `${count(running.length, "hook")} would run${LANES[lane] ?? ""}.`,
  ].join("\n");
}

const LANES: Readonly<Record<string, string>> = {
  shell: ", without starting Node",
  node: ", in one Node process",
};

const subject = ({ tool, paths }: Occurrence): string => {
  const what = [tool, ...paths].filter((one) => one !== "").map(harmless);
  return what.length === 0 ? "" : ` (${what.join(" ")})`;
};

/** What hooks can do there, in words. */
function powers({ surface }: At): string {
  const able = [
    ...(surface.replies.deny ? ["block"] : []),
    ...(surface.replies.ask ? ["ask the user"] : []),
    ...(surface.replies.rewrite ? ["rewrite"] : []),
    ...(takesContext(surface) ? ["add context"] : []),
  ];
  return able.length === 0 ? "hooks can only watch" : `hooks can ${listed(able)}`;
}

async function ran(call: Call, at: At, { layout }: Fresh, given: Given, event: Occurrence): Promise<Answer> {
  const { shell } = call.installation;
  const start = { shell, adapter: at.adapter, event: at.event, payload: given.payload, cwd: call.from, env: call.env };
  const returned = await dispatcher(start);
  const entry = newest(layout.ledger, event.id);
  const means = understood(returned);
  const json = { ...returned, verdict: means.verdict, reason: means.reason, entry: entry?.raw ?? null };
  const trace = entry ? traceText(traceOf(layout, entry), call.paint, call.width) : "The ledger has no entry for it.";
  return { exit: 0, json, text: `${replyText(returned, call)}\n\n${trace}` };
}

function newest(ledger: string, id: string): ReturnType<typeof readLedger> extends Generator<infer E> ? E | undefined : never {
  for (const entry of readLedger(ledger)) if (entry.id === id && entry.lane !== "async") return entry;
  return undefined;
}

function replyText({ stdout, stderr, exit, ms }: Returned, { paint }: Call): string {
  const part = (title: string, text: string): string[] =>
    text.trim() === "" ? [] : [paint.quiet(title), indented(harmless(text.trimEnd()), 2)];
  return [
    `${paint.strong("Reply")}: exit ${exit} after ${ms} ms${stdout + stderr === "" ? ", nothing said" : ""}`,
    ...part("standard output", pretty(stdout)),
    ...part("standard error", stderr),
  ].join("\n");
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
