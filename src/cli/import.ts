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
  const go = preview.moved.length > 0 && (await consent(call, changes));
  const done = go ? await applyImport(site, plan) : preview;
  const refused = done.refusals.length > 0;
  const pending = !go && preview.moved.length > 0 && !call.flag("dry-run");
  return {
    exit: pending ? 2 : refused ? 1 : 0,
    json: jsonOf(done, go),
    text: [
      ...(done.moved.length > 0 ? [movedText(done, call)] : ["There is nothing to import."]),
      ...done.left.map(
        ({ hook, why }) =>
          `${call.paint.odd("left where it is")}: ${oneLine(hook.command) || hook.native} in ${hook.file}: ${why}`,
      ),
      ...done.refusals.map(
        ({ file, message, hint }) =>
          `${call.paint.bad("left alone")}: ${file}: ${message}\n  ${hint}`,
      ),
      ...(go || done.moved.length === 0
        ? []
        : [
            ...(call.json ? [] : changed(changes).map((one) => changeText(one, call.paint))),
            nothingWritten(call),
          ]),
    ].join("\n\n"),
  };
}

const changed = (changes: readonly Change[]): Change[] =>
  changes.filter(({ before, after }) => !same(before, after));

const nothingWritten = (call: Call): string =>
  call.flag("dry-run") ? "Nothing was written." : "Nothing was written. Say --yes to write this.";

async function consent(call: Call, changes: readonly Change[]): Promise<boolean> {
  if (call.flag("dry-run")) return false;
  if (call.flag("yes")) return true;
  if (call.json || !canAsk()) return false;
  process.stderr.write(
    `${changed(changes)
      .map((one) => changeText(one, call.paint))
      .join("\n\n")}\n\n`,
  );
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
  const go = preview.length > 0 && (await consent(call, preview));
  const changes = go ? await giveBack(site, scope, ADAPTERS) : preview;
  const files = changes.map(({ file, after }) => ({ file, action: after ? "changed" : "removed" }));
  const lines = files.map(({ file, action }) => `${action}  ${file}`);
  const text =
    preview.length === 0
      ? "Nothing was imported in this scope."
      : [
          ...(go ? ["Given back:"] : preview.map((one) => changeText(one, call.paint))),
          ...lines,
          ...(go ? [] : [nothingWritten(call)]),
        ].join("\n");
  return {
    exit: !go && preview.length > 0 && !call.flag("dry-run") ? 2 : 0,
    json: { scope, written: go, files },
    text,
  };
}
