import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { ADAPTERS } from "../adapters/_all.ts";
import { pathAt } from "../install/site.ts";
import type { Env } from "./_memory.ts";

/** The transcript that was written to last among those of this folder, in any harness; or "". */
export function newestTranscript(cwd: string, env: Env): string {
  const places = ADAPTERS.flatMap((adapter) =>
    "transcripts" in adapter ? [adapter.transcripts] : [],
  );
  const files = places.flatMap((place) => filesOf(place, cwd, env));
  const sorted = files
    .filter(({ time }) => time > 0)
    .toSorted((a, b) => b.time - a.time)
    .slice(0, MOST_LOOKED_AT);
  return sorted.find(({ file, isOurs }) => isOurs || mentions(file, cwd))?.file ?? "";
}

const MOST_LOOKED_AT = 50;

function filesOf(place: string, cwd: string, env: Env) {
  const named = place.replace("{cwd}", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"));
  return linesBelow(pathAt(named, { env, home: env["HOME"] ?? "", root: cwd })).map((file) => ({
    file,
    time: timeOf(file),
    isOurs: place.includes("{cwd}"),
  }));
}

function timeOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.mtimeMs : 0;
}

function linesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Its first lines say where the session took place. */
function mentions(file: string, cwd: string): boolean {
  const fd = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(65_536);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    return text.includes(`"cwd":${JSON.stringify(cwd)}`);
  } finally {
    closeSync(fd);
  }
}

/** Transcripts carry the session's id in their name. */
export const sessionIn = (file: string): string =>
  /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/.exec(file)?.[1] ?? "";
