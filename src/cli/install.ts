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
import { isChanged, outcomeJson } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { gitHooks } from "./_git-hooks.ts";
import { harnessesNamed, harnessesPresent, scopeNamed, siteHere } from "./_harnesses.ts";
import { type About, diffsText, installText, trustOnly } from "./_install-text.ts";
import { limitsOf } from "./_limits.ts";
import { rootHere } from "./_project.ts";
import { listed } from "./_words.ts";

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
  if (consent === undefined) return answer(view, preview, stageWithout(call));
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

/** undefined: not now. Nothing is asked about that was not shown. */
async function consentTo(
  view: View,
  preview: readonly Outcome[],
  wish: Wish,
): Promise<Wish | undefined> {
  const { call } = view;
  if (call.flag("dry-run")) return undefined;
  if (call.flag("yes") || !preview.some(isChanged)) return wish;
  if (call.json || !canAsk()) return undefined;
  const about = installText(call, aboutOf(view, preview), false);
  process.stderr.write(`${diffsText(call, preview)}\n\n${about}\n\n`);
  const { agrees, end } = talk();
  try {
    if (!(await agrees("Write this?"))) return undefined;
    const trust = wish.trust ? [] : trustToo(view, preview, wish);
    if (trust.length === 0) return wish;
    process.stderr.write(`\n${diffsText(call, trust)}\n\n`);
    const titles = listed(trust.map(({ adapter }) => adapter.title));
    const question = `${titles} runs only what you trust. Write this down as trusted, too?`;
    return { ...wish, trust: await agrees(question) };
  } finally {
    end();
  }
}

/** What would be written down as trusted beside what was already shown. */
const trustToo = ({ site }: View, preview: readonly Outcome[], wish: Wish): Outcome[] =>
  previewInstall(
    site,
    preview.map(({ adapter }) => adapter),
    { ...wish, trust: true },
  )
    .map(trustOnly)
    .filter(isChanged);

const aboutOf = ({ site, compiled }: View, outcomes: readonly Outcome[]): About[] =>
  outcomes.map((one) => ({
    outcome: one,
    notes: one.refusal ? [] : notesOn(one, site),
    limits: one.refusal ? [] : limitsOf(compiled, one.adapter),
  }));

/** asked: nobody was there who could say yes; declined: somebody was, and has seen it all. */
type Stage = "preview" | "asked" | "declined" | "done";

const stageWithout = (call: Call): Stage =>
  call.flag("dry-run") ? "preview" : call.json || !canAsk() ? "asked" : "declined";

function answer(view: View, outcomes: readonly Outcome[], stage: Stage): Answer {
  const { call, scope, unable } = view;
  const refused = outcomes.some(({ refusal }) => refusal);
  const about = aboutOf(view, outcomes);
  const pending = (stage === "asked" || stage === "declined") && outcomes.some(isChanged);
  const exit = pending ? 2 : refused ? 1 : 0;
  const json = {
    ...{ scope, written: stage === "done" && outcomes.some(isChanged) },
    harnesses: about.map(({ outcome, notes, limits }) => ({
      ...{ ...outcomeJson(outcome, scope), notes, limits },
    })),
    without: unable.map(({ id }) => id),
  };
  if (stage === "declined") return { exit, json, text: "Nothing was written." };
  const diffs = stage === "done" ? "" : diffsText(call, outcomes);
  const text = [
    ...(diffs === "" ? [] : [diffs]),
    installText(call, about, stage === "done"),
    ...unable.map(({ title }) => `${title}: has no settings of the scope ${scope}`),
    ...(pending ? ["Nothing was written. Say --yes to write this."] : []),
    ...(stage === "preview" ? ["Nothing was written."] : []),
  ];
  return { exit, json, text: text.join("\n\n") };
}
