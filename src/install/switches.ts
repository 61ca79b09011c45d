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

/** Those that stand in their files as they are written down in the adapter. */
export const standing = (switches: readonly Switch[], site: Site): Off[] =>
  switches.flatMap((one) => {
    const says = `${one.at.join(".")} is ${JSON.stringify(one.is)}`;
    const isSo = sameJson(settingAt(one, site), one.is);
    return isSo ? [{ file: pathAt(one.file, site), says }] : [];
  });

/** undefined: nothing is said there, or the file cannot be read. */
export function settingAt({ file, format, at }: Omit<Switch, "is">, site: Site): unknown {
  try {
    const text = textAt(pathAt(file, site));
    const value: unknown = format === "toml" ? parseToml(text) : parseJson(text);
    return at.reduce<unknown>(
      (now, key) => (now as Record<string, unknown> | undefined)?.[key],
      value,
    );
  } catch {
    return undefined;
  }
}
