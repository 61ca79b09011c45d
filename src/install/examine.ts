import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import type { Adapter } from "../adapters/_contract.ts";
import type { Scope } from "../adapters/_settings.ts";
import { connectedScopes } from "./connection.ts";
import { previewInstall } from "./install.ts";
import { narrowed } from "./narrowed.ts";
import { plugged, type PluggedIn } from "./plugged.ts";
import { readRecord } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { same } from "./replace-file.ts";
import type { Candidate } from "./runtime.ts";
import { pathAt, shimOf, type Site } from "./site.ts";
import { switchedOff } from "./switches.ts";
import { textAt } from "./target.ts";
import { isTrusted } from "./trust.ts";
import { unreadable } from "./unreadable.ts";

export type Grade = "ok" | "info" | "warning" | "error";

/** One thing that was looked at, and what to do about it. */
export interface Finding {
  readonly harness: string;
  readonly check: string;
  readonly grade: Grade;
  readonly message: string;
  /** What to run or to change; empty when there is nothing to do. */
  readonly fix: string;
  /** `doctor --fix` does it: it changes only what is ours. */
  readonly safe?: boolean;
}

/** Is this harness connected, so that hooks really run there? */
export function examine(adapter: Adapter, found: Candidate, site: Site): Finding[] {
  const say: Say = (check, grade, message, fix = "", safe = false) => ({
    ...{ harness: adapter.id, check, grade, message, fix },
    ...(safe ? { safe } : {}),
  });
  const scopes = connectedScopes(adapter, site);
  const plugin = plugged(adapter, site);
  if (found.capability === "absent" && scopes.length === 0) return [];
  return [
    presence(adapter, found, say),
    ...(scopes.length === 0 && !plugin ? notConnected(adapter, found, say) : []),
    ...(plugin ? asPlugin(adapter, plugin, scopes, say) : []),
    ...unreadable(adapter, site, scopes).map((one) => brokenFile(adapter, one, say)),
    ...scopes.flatMap((scope) => connected(adapter, site, scope, say)),
    ...switchedOff(adapter, site).map(({ file, says }) =>
      say(
        "enabled",
        "error",
        `its hooks are switched off: ${says} in ${file}`,
        `change it in ${file}: it is yours`,
      ),
    ),
    ...delivery(adapter, site, scopes, plugin, say),
  ];
}

type Say = (check: string, grade: Grade, message: string, fix?: string, safe?: boolean) => Finding;

function presence({ id, title }: Adapter, { capability, why, seen }: Candidate, say: Say): Finding {
  const name = seen.version === "" ? title : `${title} ${seen.version}`;
  if (capability === "native") return say("version", "ok", `${name} has hooks`);
  if (capability === "absent")
    return say(
      "version",
      "warning",
      `${title} is connected, but it is not on this machine: ${why}`,
      `anyhook uninstall --harness ${id}`,
    );
  if (capability === "broken")
    return say("version", "warning", why, `install ${title} again, or take it off PATH`);
  const skill = `anyhook lifecycle ${id} skill`;
  const fix =
    seen.program === "" ? `put it on PATH; without hooks ${skill}` : `${skill}, or a newer version`;
  return say("version", "warning", why, fix);
}

/** A version that nobody knows may have hooks; one that is known to have none needs no connection. */
function notConnected({ id, title }: Adapter, found: Candidate, say: Say): Finding[] {
  const fix = `anyhook install --harness ${id}`;
  if (found.capability === "native") {
    const message = `${title} is here and does not call anyhook: no hook runs in it`;
    return [say("connected", "error", message, fix)];
  }
  if (found.capability === "hookless" && found.seen.version !== "") return [];
  return [say("connected", "warning", `${title} is not connected: no hook runs in it`, fix)];
}

/** The user's own entries are used before it, so what is wrong with it is then no matter. */
function asPlugin(
  { title, id, settings }: Adapter,
  { file, says, trouble, fix }: PluggedIn,
  scopes: readonly Scope[],
  say: Say,
): Finding[] {
  const where = `(${says} in ${file})`;
  if (scopes.includes("user"))
    return [say("delivery", "info", `also a plugin ${where}: it steps aside for your settings`)];
  const remark = settings.plugged?.remark;
  if (trouble === "")
    return [
      say("connected", "ok", `${title} calls anyhook as a plugin ${where}`),
      ...(remark === undefined ? [] : [say("trusted", "info", remark)]),
    ];
  const message = `the plugin is switched on ${where}, but calls nothing: ${trouble}`;
  const grade = scopes.length === 0 ? "error" : "info";
  return [say("connected", grade, message, `${fix}; or anyhook install --harness ${id}`)];
}

function connected(adapter: Adapter, site: Site, scope: Scope, say: Say): Finding[] {
  const record = readRecord(site, adapter.id, scope)!;
  const file = pathAt(adapter.settings.files[scope]!, site);
  const again = `anyhook install --harness ${adapter.id}${scope === "user" ? "" : ` --scope ${scope}`}`;
  const [outcome] = previewInstall(site, [adapter], {
    scope,
    observed: record.observed,
    trust: false,
  });
  if (outcome?.refusal) return [brokenFile(adapter, outcome.refusal, say)];
  const moved = (outcome?.plan?.files ?? []).some(
    ({ change }) => !same(change.before, change.after),
  );
  return [
    moved
      ? say("entries", "error", `entries of ours are missing or old in ${file}`, again, true)
      : say("entries", "ok", `all events are wired in ${file}`),
    ...narrowed(adapter, record, file).map(({ native, matcher }) =>
      say(
        "entries",
        "error",
        `our entry for ${native} in ${file} has the matcher "${matcher}"`,
        "remove it: matchers belong into hooks",
      ),
    ),
    ...(scope === "user" ? shimFindings(site, again, say) : []),
    ...trust(adapter, site, file, `${again} --trust`, say),
  ];
}

function brokenFile({ title }: Adapter, refusal: Refusal, say: Say): Finding {
  const { file, line, column, message, hint } = refusal;
  if (line === 0) return say("settings", "error", `${file}: ${message}`, hint);
  const at = `${file}:${line}:${column}`;
  const fix = "repair the file, then anyhook doctor again";
  return say("settings", "error", `${at}: ${message}: ${title} may ignore the whole file`, fix);
}

function shimFindings(site: Site, again: string, say: Say): Finding[] {
  const shim = shimOf(site);
  const bad = (message: string): Finding[] => [say("path", "error", message, again, true)];
  if (!existsSync(shim)) return bad(`${shim}, which the harness calls, does not exist`);
  try {
    accessSync(shim, constants.X_OK);
  } catch {
    return bad(`${shim}, which the harness calls, is not executable`);
  }
  const [, folder] = /^d='(.*)\/shell\/dispatch\.sh'$/m.exec(readFileSync(shim, "utf8")) ?? [];
  if (folder !== undefined && !existsSync(`${folder.replaceAll(`'\\''`, "'")}/shell/dispatch.sh`))
    return bad(`${shim} names a package that is gone: ${folder}`);
  return [say("path", "ok", `${shim} can be called`)];
}

function trust(adapter: Adapter, site: Site, file: string, fix: string, say: Say): Finding[] {
  if (!adapter.settings.trusted) return [];
  const text = textAt(file);
  let isKnown: boolean;
  try {
    isKnown = isTrusted(adapter, site, file, text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [brokenFile(adapter, error, say)];
  }
  return isKnown
    ? [say("trusted", "ok", "it trusts our entries")]
    : [
        say(
          "trusted",
          "error",
          `${adapter.title} does not trust our entries, and skips them without a word`,
          `${fix}, or ${adapter.settings.trust}`,
        ),
      ];
}

/** The same event by two ways: each hook still fires once, and the person should know how. */
function delivery(
  adapter: Adapter,
  site: Site,
  scopes: readonly Scope[],
  plugin: PluggedIn | undefined,
  say: Say,
): Finding[] {
  const twice =
    scopes.length > 1
      ? [
          say(
            "delivery",
            "info",
            `connected in the scopes ${scopes.join(" and ")}: those of the user are used, the others step aside`,
          ),
        ]
      : [];
  const isDouble = plugin?.trouble === "" && scopes.length > 0 && !scopes.includes("user");
  const double = isDouble
    ? [
        say(
          "delivery",
          "warning",
          `connected in the scope ${scopes.join(" and ")} and as a plugin (${plugin.file}): every hook fires twice`,
          `anyhook uninstall --harness ${adapter.id} --scope ${scopes[0]!}, or remove the plugin`,
        ),
      ]
    : [];
  const others = (adapter.settings.alsoReads ?? []).filter((file) =>
    existsSync(pathAt(file, site)),
  );
  const shared = others.map((file) =>
    say(
      "delivery",
      "info",
      `it reads ${file} as well; an event that comes both ways is dispatched once`,
    ),
  );
  return [...twice, ...double, ...shared];
}
