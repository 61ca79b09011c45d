import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { ADAPTERS, adapterOf } from "../adapters/_all.ts";
import { withoutGate } from "../install/git-hooks.ts";
import { Fault } from "../fault.ts";
import { type ImportRecord, importRecord } from "../install/import-record.ts";
import type { Outcome } from "../install/install.ts";
import { allRecords } from "../install/record.ts";
import type { Site } from "../install/site.ts";
import { previewUninstall, type Spot, uninstall } from "../install/uninstall.ts";
import { type Answer, type Call, Misuse } from "./_call.ts";
import { changeText, changesOf, isChanged, outcomeJson, refusalText } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { gitHooks } from "./_git-hooks.ts";
import { harnessesNamed, scopeNamed, siteHere } from "./_harnesses.ts";
import { count, listed } from "./_words.ts";

export async function uninstallNow(call: Call): Promise<Answer> {
  if (call.flag("git-hooks"))
    return gitHooks(call, withoutGate, "Commits are not checked any more:");
  const site = siteHere(call);
  const spots = spotsOf(call, site);
  const preview = previewUninstall(spots);
  const isDry = call.flag("dry-run");
  const agreed =
    !isDry && (call.flag("yes") || !preview.some(isChanged) || (await asked(call, preview, spots)));
  const outcomes = agreed ? await uninstall(site, spots) : preview;
  const pending = !agreed && !isDry && preview.some(isChanged);
  const refused = outcomes.some(({ refusal }) => refusal);
  const notes = spots.map((spot, index) => stopping(outcomes[index]!, spot));
  return {
    exit: pending ? 2 : refused ? 1 : 0,
    json: {
      written: agreed && outcomes.some(isChanged),
      harnesses: outcomes.map((one, index) => ({
        ...outcomeJson(one, spots[index]!.scope),
        notes: notes[index]!,
      })),
    },
    text: textOf(call, outcomes, notes, { done: agreed, pending }),
  };
}

/** Hooks that came from this harness run only through us. */
function stopping(outcome: Outcome, { adapter, site, scope }: Spot): string[] {
  if (outcome.refusal || !isChanged(outcome)) return [];
  const { moved } = importedIn(site, scope);
  const own = moved.filter(({ harness }) => harness.includes(adapter.id)).length;
  if (own === 0) return [];
  const undo = `anyhook import --undo${scope === "user" ? "" : ` --scope ${scope}`}`;
  return [
    `${count(own, "imported hook stops", "imported hooks stop")} running in it; ${undo} gives ${own === 1 ? "it" : "them"} back`,
  ];
}

/** A damaged record of imports is no reason not to leave. */
function importedIn(site: Site, scope: Scope): Pick<ImportRecord, "moved"> {
  try {
    return importRecord(site, scope);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { moved: [] };
  }
}

/** With --all also what records of other projects name. */
function spotsOf(call: Call, site: Site): Spot[] {
  const named = harnessesNamed(call);
  if (!call.flag("all")) {
    const scope = scopeNamed(call);
    const able = (named ?? ADAPTERS).filter(({ settings }) => settings.files[scope] !== undefined);
    return able.map((adapter) => ({ adapter, site, scope }));
  }
  if (named || call.text("scope") !== undefined)
    throw new Misuse("--all is every harness in every scope", "leave out --harness and --scope");
  const here = ADAPTERS.flatMap((adapter) =>
    SCOPES.filter((scope) => adapter.settings.files[scope] !== undefined).map((scope): Spot => ({
      adapter,
      site,
      scope,
    })),
  );
  const elsewhere = allRecords(site).flatMap(({ harness, scope, root }): Spot[] => {
    const adapter = adapterOf(harness);
    return adapter && root !== "" && root !== site.root
      ? [{ adapter, scope: scope satisfies Scope, site: { ...site, root } }]
      : [];
  });
  return [...here, ...elsewhere];
}

async function asked(
  call: Call,
  preview: readonly Outcome[],
  spots: readonly Spot[],
): Promise<boolean> {
  if (call.json || !canAsk()) return false;
  process.stderr.write(
    `${textOf(
      call,
      preview,
      spots.map((spot, index) => stopping(preview[index]!, spot)),
      { done: false, pending: false },
    )}\n\n`,
  );
  const { agrees, end } = talk();
  return agrees("Write this?").finally(end);
}

function textOf(
  call: Call,
  outcomes: readonly Outcome[],
  notes: readonly (readonly string[])[],
  { done, pending }: { readonly done: boolean; readonly pending: boolean },
): string {
  const { paint } = call;
  const blocks = outcomes.flatMap((one, index) => {
    if (!one.refusal && !isChanged(one)) return [];
    const head = paint.strong(one.adapter.title);
    if (one.refusal) return [`${head}\n  ${refusalText(one, call)}`];
    const changes = changesOf(one);
    const said = notes[index]!.map((note) => `  ${paint.odd("note")}: ${note}`);
    const told = done
      ? [`${head}: disconnected, ${listed(changes.map(({ file }) => file))}`]
      : [head, ...changes.map((change) => changeText(change, paint))];
    return [[...told, ...said].join("\n")];
  });
  const nothing = blocks.length === 0 ? ["Nothing of ours is there."] : [];
  const last = pending ? ["Nothing was written. Say --yes to write this."] : [];
  return [...blocks, ...nothing, ...last].join("\n\n");
}
