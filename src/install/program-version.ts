import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { versionIn } from "./compare-versions.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Asked {
  readonly version: string;
  /** Its own words, when it was asked and could not start. */
  readonly trouble: string;
}

/**
 * The version of what is installed: from the package that the program lies in, because starting a
 * client takes seconds and may make it look for news; from the program itself where there is no
 * package, or where the package looks as if its program could not start.
 */
export function programVersion(program: string, args: readonly string[], env: Env): Asked {
  const found = packageOf(program);
  if (found && isWhole(found)) return { version: found.version, trouble: "" };
  const printed = printedVersion(program, args, env);
  return { version: printed.version || (found?.version ?? ""), trouble: printed.trouble };
}

interface Package {
  readonly version: string;
  readonly folder: string;
  readonly real: string;
  readonly optional: readonly string[];
}

function packageOf(program: string): Package | undefined {
  try {
    const real = realpathSync(program);
    for (let folder = dirname(real), n = 0; n < 6; folder = dirname(folder), n++) {
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const content = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      const { version, name, optionalDependencies } = content;
      if (typeof name !== "string" || typeof version !== "string") continue;
      const optional = Object.keys((optionalDependencies as object | undefined) ?? {});
      return { version: versionIn(version), folder, real, optional };
    }
  } catch {
    // An unreadable package says nothing; the program may.
  }
  return undefined;
}

/**
 * Packages of native programs come with a placeholder, or with a launcher for a second package of
 * this platform that npm may have left out (driven: Claude Code, Codex, opencode, all with
 * --omit=optional or --ignore-scripts).
 */
const isWhole = ({ real, folder, optional }: Package): boolean => {
  const platform = `${process.platform}-${process.arch}`;
  const native = optional.filter((name) => name.endsWith(platform));
  return (
    startsItself(real) && (native.length === 0 || native.some((name) => isThere(name, folder)))
  );
};

/** Text without a first line that names its interpreter: only a shell would run it. */
function startsItself(file: string): boolean {
  const head = Buffer.alloc(64);
  const fd = openSync(file, "r");
  try {
    const text = head.subarray(0, readSync(fd, head)).toString("latin1");
    return text.startsWith("#!") || /[^\t\n\r -~]/.test(text);
  } finally {
    closeSync(fd);
  }
}

function isThere(name: string, from: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name))) return true;
    if (dirname(folder) === folder) return false;
  }
}

const PATIENCE_MS = 10_000;

/** That cannot be the machine's fault, as too little time or memory would be. */
const CANNOT = ["ENOENT", "EACCES", "ENOEXEC"];

/** A program that was ended, because it took too long, may be well. */
function printedVersion(program: string, args: readonly string[], env: Env): Asked {
  const { status, stdout, stderr, error, signal } = spawnSync(program, [...args], {
    env: { ...env, ANYHOOK: "0", NO_COLOR: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    maxBuffer: 1_048_576,
  });
  if (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { version: "", trouble: CANNOT.includes(code) ? error.message : "" };
  }
  const version = versionIn(stdout);
  if (status === 0 || version !== "") return { version, trouble: "" };
  const end = signal === null ? `it ends with exit ${status}` : `it is ended by ${signal}`;
  return { version, trouble: wordsOf(`${stderr}\n${stdout}`) || end };
}

/** The first line that says something, without anything that a terminal would obey. */
export const wordsOf = (output: string): string =>
  output
    .replaceAll(/\u001b\[[\d;?]*[A-Za-z]|[^\n\P{Cc}]/gu, "")
    .split("\n")
    .map((line) => line.trim())
    .find((line) => /\p{L}{3}/u.test(line) && !/^(at |node:)/.test(line))
    ?.slice(0, 200) ?? "";
