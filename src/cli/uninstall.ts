import { SCOPES, type Scope } from "../adapters/_settings.ts";
import { ADAPTERS, adapterOf } from "../adapters/_all.ts";
import { withoutGate } from "../install/git-hooks.ts";
import type { Outcome } from "../install/install.ts";
import { allRecords } from "../install/record.ts";
import type { Site } from "../install/site.ts";
import { previewUninstall, type Spot, uninstall } from "../install/uninstall.ts";
import { type Answer, type Call, Misuse } from "./_call.ts";
import { changeText, changesOf, isChanged, outcomeJson, refusalText } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { gitHooks } from "./_git-hooks.ts";
import { harnessesNamed, scopeNamed, siteHere } from "./_harnesses.ts";
import { listed } from "./_words.ts";

export async function uninstallNow(call: Call): Promise<Answer> {
  if (call.flag("git-hooks"))
    return gitHooks(call, withoutGate, "Commits are not checked any more:");
  const site = siteHere(call);
  const spots = spotsOf(call, site);
  const preview = previewUninstall(spots);
  const isDry = call.flag("dry-run");
  const agreed =
    !isDry && (call.flag("yes") || !preview.some(isChanged) || (await asked(call, preview)));
  const outcomes = agreed ? await uninstall(site, spots) : preview;
  const pending = !agreed && !isDry && preview.some(isChanged);
  const refused = outcomes.some(({ refusal }) => refusal);
  return {
    exit: pending ? 2 : refused ? 1 : 0,
    json: {
      written: agreed && outcomes.some(isChanged),
      harnesses: outcomes.map((one, index) => outcomeJson(one, spots[index]!.scope)),
    },
    text: textOf(call, outcomes, agreed, pending),
  };
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

async function asked(call: Call, preview: readonly Outcome[]): Promise<boolean> {
  if (call.json || !canAsk()) return false;
  process.stderr.write(`${textOf(call, preview, false, false)}\n\n`);
  const { agrees, end } = talk();
  return agrees("Write this?").finally(end);
}

function textOf(call: Call, outcomes: readonly Outcome[], done: boolean, pending: boolean): string {
  const { paint } = call;
  const told = outcomes.filter((one) => one.refusal || isChanged(one));
  const blocks = told.map((one) => {
    const head = paint.strong(one.adapter.title);
    if (one.refusal) return `${head}\n  ${refusalText(one, call)}`;
    const changes = changesOf(one);
    if (done) return `${head}: disconnected, ${listed(changes.map(({ file }) => file))}`;
    return [head, ...changes.map((change) => changeText(change, paint))].join("\n");
  });
  const nothing = told.length === 0 ? ["Nothing of ours is there."] : [];
  const last = pending ? ["Nothing was written. Say --yes to write this."] : [];
  return [...blocks, ...nothing, ...last].join("\n\n");
}
