import { ADAPTERS } from "../adapters/_all.ts";
import type { Scope } from "../adapters/_settings.ts";
import { giveBack, planGiveBack } from "../install/give-back.ts";
import { applyImport, type ImportPlan, planImport } from "../install/import.ts";
import { type Change, same } from "../install/replace-file.ts";
import type { Site } from "../install/site.ts";
import type { Answer, Call } from "./_call.ts";
import { changeText } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { harnessesNamed, scopeNamed, siteHere } from "./_harnesses.ts";
import { oneLine } from "./_paint.ts";
import { table } from "./_table.ts";
import { count, listed } from "./_words.ts";

export async function importNow(call: Call): Promise<Answer> {
  const site = siteHere(call);
  const scope = scopeNamed(call);
  return call.flag("undo") ? undone(call, site, scope) : moved(call, site, scope);
}

async function moved(call: Call, site: Site, scope: Scope): Promise<Answer> {
  const adapters = harnessesNamed(call) ?? ADAPTERS;
  const plan = (): ImportPlan => planImport(site, adapters, scope, ADAPTERS, call.flag("dry-run"));
  const preview = plan();
  const changes = [
    preview.into,
    ...preview.sources.flatMap(({ change, trust }) => [change, ...(trust ? [trust.change] : [])]),
  ];
  const go = preview.moved.length > 0 && (await consent(call, changes, textsOf(preview, call)));
  const done = go ? await applyImport(site, plan) : preview;
  const refused = done.refusals.length > 0;
  const pending = !go && preview.moved.length > 0 && !call.flag("dry-run");
  const diffs = go || call.json ? [] : changed(changes).map((one) => changeText(one, call.paint));
  return {
    exit: pending ? 2 : refused ? 1 : 0,
    json: jsonOf(done, go),
    text: isDeclined(call, pending)
      ? "Nothing was written."
      : [
          ...(done.moved.length > 0 ? diffs : []),
          ...textsOf(done, call),
          ...(done.moved.length === 0 ? [] : [go ? doneText(done, call) : nothingWritten(call)]),
        ].join("\n\n"),
  };
}

/** What moves, what does not, and why. */
const textsOf = (plan: ImportPlan, call: Call): string[] => [
  ...(plan.moved.length > 0 ? [movedText(plan, call)] : ["There is nothing to import."]),
  ...plan.left.map(
    ({ hook, why }) =>
      `${call.paint.odd("left where it is")}: ${oneLine(hook.command) || hook.native} in ${hook.file}: ${why}`,
  ),
  ...plan.refusals.map(
    ({ file, message, hint }) => `${call.paint.bad("left alone")}: ${file}: ${message}\n  ${hint}`,
  ),
];

const doneText = ({ scope, moved: all }: ImportPlan, { paint }: Call): string => {
  const undo = `anyhook import --undo${scope === "user" ? "" : ` --scope ${scope}`}`;
  const what = `${count(all.length, "hook")} moved, and anyhook runs ${all.length === 1 ? "it" : "them"}`;
  return `${paint.good("Done")}: ${what} from now on. ${undo} gives back what was there.`;
};

/** Somebody was asked, and has seen it all. */
const isDeclined = (call: Call, pending: boolean): boolean => pending && !call.json && canAsk();

const changed = (changes: readonly Change[]): Change[] =>
  changes.filter(({ before, after }) => !same(before, after));

const nothingWritten = (call: Call): string =>
  call.flag("dry-run") ? "Nothing was written." : "Nothing was written. Say --yes to write this.";

/** The short of it last: it stands above the question. */
async function consent(
  call: Call,
  changes: readonly Change[],
  about: readonly string[],
): Promise<boolean> {
  if (call.flag("dry-run")) return false;
  if (call.flag("yes")) return true;
  if (call.json || !canAsk()) return false;
  const diffs = changed(changes).map((one) => changeText(one, call.paint));
  process.stderr.write(`${[...diffs, ...about].join("\n\n")}\n\n`);
  const { agrees, end } = talk();
  return agrees("Write this?").finally(end);
}

const jsonOf = (
  { scope, moved: all, left, refusals, into }: ImportPlan,
  written: boolean,
): unknown => ({
  ...{ scope, written, into: into.file },
  hooks: all.map(({ origins, ...hook }) => ({
    ...hook,
    origins: origins.map(({ harness, file, native, entry }) => ({ harness, file, native, entry })),
  })),
  left: left.map(({ hook, why }) => ({
    harness: hook.harness,
    file: hook.file,
    native: hook.native,
    command: hook.command,
    why,
  })),
  refusals: refusals.map(({ file, message, hint }) => ({ file, message, hint })),
});

function movedText({ moved: all, into }: ImportPlan, { paint, width }: Call): string {
  const rows = all.map(({ name, event, matcher, harness, command }) => [
    paint.name(name),
    event + (matcher === "" ? "" : ` of ${matcher}`),
    listed(harness),
    oneLine(command),
  ]);
  return `${count(all.length, "hook")} into ${into.file}\n\n${table(rows, { indent: 2, width })}`;
}

async function undone(call: Call, site: Site, scope: Scope): Promise<Answer> {
  const preview = changed(planGiveBack(site, scope, ADAPTERS));
  const lines = (changes: readonly Change[]): string[] =>
    filesOf(changes).map(({ file, action }) => `${action}  ${file}`);
  const go = preview.length > 0 && (await consent(call, preview, [lines(preview).join("\n")]));
  const changes = go ? await giveBack(site, scope, ADAPTERS) : preview;
  const pending = !go && preview.length > 0 && !call.flag("dry-run");
  const json = { scope, written: go, files: filesOf(changes) };
  const exit = pending ? 2 : 0;
  if (preview.length === 0) return { exit, json, text: "Nothing was imported in this scope." };
  if (isDeclined(call, pending)) return { exit, json, text: "Nothing was written." };
  const diffs = preview.map((one) => changeText(one, call.paint));
  const text = go
    ? ["Given back:", ...lines(changes)]
    : [...diffs, ...lines(preview), nothingWritten(call)];
  return { exit, json, text: text.join("\n") };
}

const filesOf = (changes: readonly Change[]): { file: string; action: string }[] =>
  changes.map(({ file, after }) => ({ file, action: after ? "changed" : "removed" }));
