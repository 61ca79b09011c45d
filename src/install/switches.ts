import { existsSync } from "node:fs";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import type { Adapter } from "../adapters/_contract.ts";
import type { Switch } from "../adapters/_settings.ts";
import { sameJson } from "./json-text.ts";
import { pathAt, type Site } from "./site.ts";
import { textAt } from "./target.ts";

/** A setting of the person's own with which the harness runs no hook at all. It is theirs to change. */
export interface Off {
  readonly file: string;
  readonly says: string;
}

export const switchedOff = ({ settings }: Adapter, site: Site): Off[] =>
  standing(settings.off ?? [], site);

/** Where it is said that the harness calls the package as its plugin. */
export const pluggedIn = ({ settings }: Adapter, site: Site): Off[] =>
  standing(settings.plugged ?? [], site);

const standing = (switches: readonly Switch[], site: Site): Off[] =>
  switches.flatMap((one) => {
    const file = pathAt(one.file, site);
    const says = `${one.at.join(".")} is ${JSON.stringify(one.is)}`;
    return existsSync(file) && sameJson(valueIn(file, one), one.is) ? [{ file, says }] : [];
  });

function valueIn(file: string, { format, at }: Switch): unknown {
  try {
    const text = textAt(file);
    const value: unknown = format === "toml" ? parseToml(text) : parseJson(text);
    return at.reduce<unknown>(
      (now, key) => (now as Record<string, unknown> | undefined)?.[key],
      value,
    );
  } catch {
    return undefined;
  }
}
