import { ADAPTERS } from "../adapters/_all.ts";
import type { Adapter } from "../adapters/_contract.ts";
import { storeRoot } from "../dispatch/layout.ts";
import { deadMatchers } from "../install/dead-matchers.ts";
import { detect } from "../install/detect.ts";
import { driftOf } from "../install/drift.ts";
import { examine, type Finding, type Grade } from "../install/examine.ts";
import { install } from "../install/install.ts";
import { readRecord } from "../install/record.ts";
import type { Site } from "../install/site.ts";
import type { Hook } from "../model.ts";
import type { Answer, Call } from "./_call.ts";
import { harnessesNamed, siteHere } from "./_harnesses.ts";
import { faultsOf, healthOf, historyOf } from "./_health.ts";
import { hookViews } from "./_hooks.ts";
import { freshen, rootHere } from "./_project.ts";
import { count } from "./_words.ts";
import { pausedSince } from "./pause.ts";

/** Everything that can keep a hook from holding, with what to do about it. */
export async function doctor(call: Call): Promise<Answer> {
  const site = siteHere(call);
  const before = await findings(call, site);
  const repaired = call.flag("fix") ? await repair(site, before) : [];
  const after = repaired.length > 0 ? await findings(call, site) : before;
  const bad = after.filter(({ grade }) => grade === "error").length;
  return {
    exit: bad > 0 ? 1 : 0,
    json: { ok: bad === 0, findings: after, repaired },
    text: textOf(call, after, repaired, bad),
  };
}

async function findings(call: Call, site: Site): Promise<Finding[]> {
  const named = harnessesNamed(call);
  const { harnesses, here } = detect(ADAPTERS, call.env);
  const { hooks, own } = await ownFindings(call);
  const of = (adapter: Adapter): Finding[] => {
    const found = harnesses.find(({ id }) => id === adapter.id)!;
    const seen = examine(adapter, found, site);
    return seen.length === 0 ? [] : [...seen, ...deadMatchers(hooks, adapter)];
  };
  const told = (named ?? ADAPTERS).flatMap(of);
  const nobody =
    told.length === 0
      ? [
          general(
            "harness",
            "warning",
            "no harness was found on this machine",
            "anyhook demo needs none; anyhook detect --all says what was looked for",
          ),
        ]
      : [];
  const contradiction =
    here && !here.agrees
      ? [
          general(
            "environment",
            "error",
            `called as ${here.called}, but the environment says ${here.environment.join(", ")}`,
            "anyhook install again",
          ),
        ]
      : [];
  return [...own, ...contradiction, ...nobody, ...told];
}

const general = (check: string, grade: Grade, message: string, fix = ""): Finding => ({
  ...{ harness: "", check, grade, message, fix },
});

/** What is not about one harness: the package, the store, the hooks themselves. */
async function ownFindings(call: Call): Promise<{ hooks: readonly Hook[]; own: Finding[] }> {
  const root = rootHere(call);
  const { layout, compiled, diagnostics } = await freshen(call, root);
  const history = historyOf(layout.ledger);
  const failing = hookViews(compiled, root)
    .map((view) => healthOf(view, history))
    .filter((one) => one.failing);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const faults = faultsOf(storeRoot(call.env));
  const own = [
    ...driftOf(ADAPTERS, call.installation).map(({ what, message, hint }) =>
      general("package", "error", `${what} ${message}`, hint),
    ),
    errors > 0
      ? general(
          "hooks",
          "error",
          `${count(errors, "mistake")} in what is written`,
          "anyhook validate",
        )
      : general(
          "hooks",
          "ok",
          `${count(new Set(compiled.hooks.map(({ name }) => name)).size, "hook")}, no mistakes`,
        ),
    ...failing.map(({ view, inARow }) =>
      general(
        "hooks",
        "error",
        `${view.name} fails (${inARow} in a row)`,
        `anyhook explain ${view.name}`,
      ),
    ),
    ...(faults.recent
      ? [
          general(
            "dispatcher",
            "error",
            `the dispatcher had a fault: ${faults.last}`,
            "anyhook status",
          ),
        ]
      : []),
    ...(pausedSince(layout)
      ? [general("paused", "warning", "hooks are paused in this project", "anyhook resume")]
      : []),
    ...(call.env["ANYHOOK"] === "0"
      ? [general("paused", "warning", "ANYHOOK=0 is set: hooks are off", "unset ANYHOOK")]
      : []),
    ...(history.damaged > 0
      ? [
          general(
            "ledger",
            "warning",
            `${count(history.damaged, "damaged line")} in the ledger`,
            "anyhook log --verify",
          ),
        ]
      : []),
  ];
  return { hooks: compiled.hooks, own };
}

/** Only what is ours: our entries and our shim, where they were before. */
async function repair(site: Site, found: readonly Finding[]): Promise<string[]> {
  const ids = new Set(found.filter(({ safe }) => safe).map(({ harness }) => harness));
  const done: string[] = [];
  for (const adapter of ADAPTERS.filter(({ id }) => ids.has(id)))
    for (const scope of ["user", "project", "local"] as const) {
      const record = readRecord(site, adapter.id, scope);
      if (!record || adapter.settings.files[scope] === undefined) continue;
      await install(site, [adapter], { scope, observed: record.observed, trust: false });
      done.push(`${adapter.id} (${scope})`);
    }
  return done;
}

const WORDS = { ok: "good", info: "quiet", warning: "odd", error: "bad" } as const;

function textOf(
  { paint }: Call,
  found: readonly Finding[],
  repaired: readonly string[],
  bad: number,
): string {
  const groups = [...new Set(found.map(({ harness }) => harness))].map((id) => {
    const lines = found
      .filter(({ harness }) => harness === id)
      .map(({ grade, check, message, fix }) => {
        const head = `  ${paint[WORDS[grade]](grade.padEnd(7))}  ${check.padEnd(10)} ${message}`;
        return fix === "" ? head : `${head}\n${" ".repeat(22)}${paint.strong("→")} ${fix}`;
      });
    return [paint.strong(id === "" ? "anyhook" : id), ...lines].join("\n");
  });
  const mended = repaired.length === 0 ? [] : [paint.good(`Repaired: ${repaired.join(", ")}`)];
  const verdict =
    bad === 0
      ? paint.good("Nothing stands in the way.")
      : paint.bad(`${count(bad, "thing")} to repair.`);
  return [...groups, ...mended, verdict].join("\n\n");
}
