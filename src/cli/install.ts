import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { compile, type Compiled } from "../compile/compile.ts";
import { layerRoots } from "../compile/materialize.ts";
import { install, type Outcome, previewInstall } from "../install/install.ts";
import { withGate } from "../install/git-hooks.ts";
import { presenceOf } from "../install/presence.ts";
import { capabilityOf } from "../install/runtime.ts";
import { notesOn } from "../install/notes.ts";
import type { Wish } from "../install/plan.ts";
import type { Site } from "../install/site.ts";
import { type Answer, type Call, Missing } from "./_call.ts";
import { changeText, changesOf, isChanged, outcomeJson, refusalText } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { gitHooks } from "./_git-hooks.ts";
import { harnessesNamed, harnessesPresent, scopeNamed, siteHere } from "./_harnesses.ts";
import { type Limit, limitsOf } from "./_limits.ts";
import { rootHere } from "./_project.ts";
import { count, listed } from "./_words.ts";

export async function installNow(call: Call): Promise<Answer> {
  if (call.flag("git-hooks")) return gitHooks(call, withGate, "Commits are checked now:");
  const site = siteHere(call);
  const scope = scopeNamed(call);
  const { able: adapters, unable } = chosen(call, site, scope);
  const compiled = await hooksHere(call);
  const wish: Wish = { scope, observed: eventsOf(compiled), trust: call.flag("trust") };
  const preview = previewInstall(site, adapters, wish);
  const view = { call, site, scope, compiled, unable };
  const consent = await consentTo(view, preview, wish);
  if (consent === undefined)
    return answer(view, preview, call.flag("dry-run") ? "preview" : "asked");
  return answer(view, await install(site, adapters, consent), "done");
}

interface View {
  readonly call: Call;
  readonly site: Site;
  readonly scope: Scope;
  readonly compiled: Compiled;
  readonly unable: readonly Adapter[];
}

interface Chosen {
  readonly able: readonly Adapter[];
  /** Found here, without settings of this scope. */
  readonly unable: readonly Adapter[];
}

/** Named ones, else those that are found; one that is named must have the scope. */
function chosen(call: Call, site: Site, scope: Scope): Chosen {
  const named = harnessesNamed(call);
  const all = named ?? harnessesPresent(site);
  if (all.length === 0)
    throw new Missing("no harness was found on this machine", "name one with --harness");
  const old = all.filter((adapter) => isTooOld(adapter, call));
  const [older] = old;
  if (older && (named || old.length === all.length))
    throw new Missing(
      `${older.title} has no hooks in the version that is installed: nothing to connect`,
      `anyhook lifecycle ${older.id} skill --write, and anyhook install --git-hooks`,
    );
  const able = all
    .filter((adapter) => !old.includes(adapter))
    .filter(({ settings }) => settings.files[scope] !== undefined);
  const unable = all.filter((adapter) => !able.includes(adapter));
  const [first] = unable;
  if (first && (named || able.length === 0)) {
    const hint = `it has ${listed(Object.keys(first.settings.files))}`;
    throw new Missing(`${first.title} has no settings of the scope ${scope}`, hint);
  }
  return { able, unable };
}

/** Only what is known: a version that could not be found out may well have hooks. */
function isTooOld(adapter: Adapter, { env }: Call): boolean {
  const seen = presenceOf(adapter, env);
  return seen.version !== "" && capabilityOf(adapter, seen).capability === "hookless";
}

const hooksHere = (call: Call): Promise<Compiled> => {
  const root = rootHere(call);
  return compile({
    roots: layerRoots(root, call.env),
    projectRoot: root,
    libraryFile: call.installation.library,
    nodePath: process.execPath,
  });
};

const eventsOf = ({ hooks }: Compiled): string[] => [...new Set(hooks.map(({ event }) => event))];

/** undefined: not now. */
async function consentTo(
  view: View,
  preview: readonly Outcome[],
  wish: Wish,
): Promise<Wish | undefined> {
  const { call } = view;
  if (call.flag("dry-run")) return undefined;
  if (call.flag("yes") || !preview.some(isChanged)) return wish;
  if (call.json || !canAsk()) return undefined;
  process.stderr.write(`${previewText(view, preview)}\n\n`);
  const { agrees, end } = talk();
  try {
    if (!(await agrees("Write this?"))) return undefined;
    const titles = preview
      .filter(({ adapter }) => adapter.settings.trusted)
      .map(({ adapter }) => adapter.title);
    if (wish.trust || titles.length === 0) return wish;
    const question = `${listed(titles)} runs only what you trust. Write down that you trust these entries?`;
    return { ...wish, trust: await agrees(question) };
  } finally {
    end();
  }
}

const previewText = ({ call }: View, outcomes: readonly Outcome[]): string =>
  outcomes.map((one) => bodyText(call, one)).join("\n\n");

function bodyText(call: Call, outcome: Outcome): string {
  const { paint } = call;
  const head = paint.strong(outcome.adapter.title);
  if (outcome.refusal) return `${head}\n  ${refusalText(outcome, call)}`;
  const changes = changesOf(outcome);
  if (changes.length === 0) return `${head}: ${paint.good("connected")}, nothing to change`;
  return [head, ...changes.map((change) => changeText(change, paint))].join("\n");
}

type Stage = "preview" | "asked" | "done";

function answer(view: View, outcomes: readonly Outcome[], stage: Stage): Answer {
  const { call, site, scope, compiled, unable } = view;
  const refused = outcomes.some(({ refusal }) => refusal);
  const about = outcomes.map((one) => ({
    outcome: one,
    notes: one.refusal ? [] : notesOn(one, site),
    limits: one.refusal ? [] : limitsOf(compiled, one.adapter),
  }));
  const pending = stage === "asked" && outcomes.some(isChanged);
  const exit = pending ? 2 : refused ? 1 : 0;
  const json = {
    ...{ scope, written: stage === "done" && outcomes.some(isChanged) },
    harnesses: about.map(({ outcome, notes, limits }) => ({
      ...{ ...outcomeJson(outcome, scope), notes, limits },
    })),
    without: unable.map(({ id }) => id),
  };
  const blocks = about.map(({ outcome, notes, limits }) =>
    [
      stage === "done" ? doneText(call, outcome) : bodyText(call, outcome),
      ...notes.map((note) => `  ${call.paint.odd("note")}: ${note}`),
      ...limitLines(call, limits),
    ].join("\n"),
  );
  const last = pending
    ? ["Nothing was written. Say --yes to write this."]
    : stage === "preview"
      ? ["Nothing was written."]
      : [];
  const left = unable.map(({ title }) => `${title}: has no settings of the scope ${scope}`);
  return { exit, json, text: [...blocks, ...left, ...last].join("\n\n") };
}

function doneText(call: Call, outcome: Outcome): string {
  const { paint } = call;
  const changes = changesOf(outcome);
  if (outcome.refusal || changes.length === 0) return bodyText(call, outcome);
  const head = paint.strong(outcome.adapter.title);
  const isTrust = (file: string): boolean =>
    outcome.plan?.files.some((one) => one.part === "trust" && one.change.file === file) ?? false;
  const trust = changes.filter(({ file }) => isTrust(file)).map(({ file }) => file);
  const files = changes.map(({ file }) => file).filter((file) => !trust.includes(file));
  if (files.length === 0) return `${head}: ${paint.good("trusted")} in ${listed(trust)}`;
  const events = count(outcome.plan?.calls.length ?? 0, "event");
  const also = trust.length === 0 ? "" : `; trusted in ${listed(trust)}`;
  return `${head}: ${paint.good("connected")}, ${events} in ${listed(files)}${also}`;
}

const limitLines = ({ paint }: Call, limits: readonly Limit[]): string[] =>
  limits.map((one) => `  ${paint.name(one.hook)}: ${paint.odd("warning")}: ${one.message}`);
