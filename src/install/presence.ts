import { existsSync, readFileSync, realpathSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { pathAt, programPath } from "./site.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What can be seen of one harness on this machine, before anybody judges it. */
export interface Seen {
  readonly program: string;
  /** Of the installed program; empty when it could not be found out. */
  readonly version: string;
  /** Files and folders that are there, with ~ for the home folder. */
  readonly traces: readonly string[];
  /** Variables that point to it. */
  readonly signs: readonly string[];
  /** Variables that it sets for its own hooks: we are inside it. */
  readonly inside: readonly string[];
}

export function presenceOf({ presence }: Adapter, env: Env): Seen {
  const program = presence.programs.map((name) => programPath(name, env)).find(Boolean) ?? "";
  const site = { env, home: env["HOME"] ?? "", root: "/" };
  const set = (name: string): boolean => (env[name] ?? "") !== "";
  return {
    program,
    version: program === "" ? "" : versionOf(program, presence.version, env),
    traces: presence.traces
      .map((place) => pathAt(place, site))
      .filter((path) => existsSync(path))
      .map((path) => shownPath(path, site.home)),
    signs: (presence.signs ?? [])
      .filter(({ set: is, unset }) => set(is) && !(unset && set(unset)))
      .map(({ set: is }) => is),
    inside: presence.inside.filter(set),
  };
}

const shownPath = (path: string, home: string): string =>
  home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

/**
 * The version of what is installed: from the package that the program lies in, because starting a
 * client takes seconds and may make it look for news; only else from the program itself.
 */
function versionOf(program: string, args: readonly string[], env: Env): string {
  return packageVersion(program) || printedVersion(program, args, env);
}

function packageVersion(program: string): string {
  try {
    for (let dir = dirname(realpathSync(program)), n = 0; n < 6; dir = dirname(dir), n++) {
      const file = join(dir, "package.json");
      if (!existsSync(file)) continue;
      const { version, name } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      if (typeof name === "string" && typeof version === "string") return versionIn(version);
    }
  } catch {
    // An unreadable package says nothing; the program may.
  }
  return "";
}

const PATIENCE_MS = 10_000;

function printedVersion(program: string, args: readonly string[], env: Env): string {
  try {
    const text = execFileSync(program, [...args], {
      env: { ...env, ANYHOOK: "0", NO_COLOR: "1" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
      maxBuffer: 1_048_576,
    });
    return versionIn(text);
  } catch {
    return "";
  }
}

export const versionIn = (text: string): string =>
  /\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.-]+)?/.exec(text)?.[0] ?? "";

/** Negative when `a` is older; what follows a hyphen makes a version older than the bare one. */
export function compareVersions(a: string, b: string): number {
  const parse = (text: string): [number[], string] => {
    const [core = "", ...pre] = text.split("-");
    return [core.split(".").map(Number), pre.join("-")];
  };
  const [[left, leftPre], [right, rightPre]] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i++) {
    const d = (left[i] ?? 0) - (right[i] ?? 0);
    if (d !== 0) return d;
  }
  if (leftPre === rightPre) return 0;
  return leftPre === "" ? 1 : rightPre === "" ? -1 : leftPre < rightPre ? -1 : 1;
}
