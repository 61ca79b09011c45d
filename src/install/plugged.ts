import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import type { Plugged } from "../adapters/_settings.ts";
import { compareVersions, versionIn } from "./compare-versions.ts";
import { editorOf } from "./editors.ts";
import { Refusal } from "./refusal.ts";
import { pathAt, type Site } from "./site.ts";
import { settingAt, standing } from "./switches.ts";
import { targetAt, textOf } from "./target.ts";
import { tomlValue } from "./toml-text.ts";
import { hashed, valueAt } from "./trust.ts";

/** The package as a plugin that is switched on in a harness. */
export interface PluggedIn {
  /** The file that switches it on, and the words in it. */
  readonly file: string;
  readonly says: string;
  /** Why it calls nothing all the same; empty when it does call. */
  readonly trouble: string;
  readonly fix: string;
}

/** undefined: not switched on here; `everywhere` asks for the settings of the user alone. */
export function plugged(
  adapter: Adapter,
  site: Site,
  { everywhere = false } = {},
): PluggedIn | undefined {
  const facts = adapter.settings.plugged;
  if (!facts) return undefined;
  const on = everywhere ? facts.on.filter(({ file }) => /^[~$/]/.test(file)) : facts.on;
  const said = on.filter((one) => settingAt(one, site) !== undefined).slice(-1);
  const [switchedOn] = standing(said, site);
  return switchedOn && { ...switchedOn, ...troubleOf(adapter, facts, site) };
}

type Trouble = Pick<PluggedIn, "trouble" | "fix">;

function troubleOf(adapter: Adapter, facts: Plugged, site: Site): Trouble {
  const folder = folderOf(facts, site);
  // What the plugin's own script asks for.
  if (folder === "" || !existsSync(join(folder, "dist/harnesses.sh"))) {
    const where = folder === "" ? "its files are not on this machine" : `${folder} has no dist/`;
    return { trouble: where, fix: "install the plugin again, from the npm package" };
  }
  if (trusts(adapter, facts, site, folder)) return { trouble: "", fix: "" };
  return {
    trouble: `${adapter.title} does not trust its entries, and skips them without a word`,
    fix: adapter.settings.trust,
  };
}

function folderOf({ folder }: Plugged, site: Site): string {
  const path =
    typeof folder === "string" ? newest(pathAt(folder, site)) : (settingAt(folder, site) ?? "");
  return typeof path === "string" && path !== "" && existsSync(path) ? path : "";
}

function newest(pattern: string): string {
  if (!pattern.endsWith("/*")) return pattern;
  const folder = dirname(pattern);
  const versions = existsSync(folder) ? readdirSync(folder).filter((name) => versionIn(name)) : [];
  const last = versions.toSorted(compareVersions).at(-1);
  return last === undefined ? "" : join(folder, last);
}

/** Every entry of the plugin, as it stands in the plugin's own file, by the harness's own record. */
function trusts(adapter: Adapter, { trustedAs }: Plugged, site: Site, folder: string): boolean {
  const { trusted, at = () => [], commands = () => [] } = adapter.settings;
  if (!trusted || trustedAs === undefined) return true;
  const file = join(folder, "hooks/hooks.json");
  try {
    const text = readFileSync(file, "utf8");
    const target = targetAt(pathAt(trusted.file, site));
    const known = tomlValue(target.file, textOf(target).text);
    const wanted = [...nativeEvents(adapter).keys()].flatMap((native) =>
      editorOf(adapter, file)
        .entries(text, at(native))
        .flatMap((entry, group) =>
          commands(entry).map((_, handler) =>
            hashed(trusted, { file: trustedAs, native, group, handler, entry }),
          ),
        ),
    );
    return wanted.length > 0 && wanted.every(({ keys, value }) => valueAt(known, keys) === value);
  } catch (error) {
    if (error instanceof Refusal || (error as NodeJS.ErrnoException).code === "ENOENT")
      return false;
    throw error;
  }
}
