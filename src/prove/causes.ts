import type { Adapter } from "../adapters/_contract.ts";
import { detect } from "../install/detect.ts";
import { examine } from "../install/examine.ts";
import { readRecord } from "../install/record.ts";
import type { Site } from "../install/site.ts";

/** What is wrong with the person's own connection, as far as looking at it can tell. */
export function causes(adapter: Adapter, site: Site): string[] {
  if (!readRecord(site, adapter.id, "user")) return [];
  const [found] = detect([adapter], site.env).harnesses;
  return examine(adapter, found!, site)
    .filter(({ grade }) => grade === "error")
    .map(({ message, fix }) => (fix === "" ? message : `${message} (${fix})`));
}
