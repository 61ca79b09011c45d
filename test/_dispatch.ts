import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { layoutOf, type Layout } from "../src/dispatch/layout.ts";

export const REPO = join(import.meta.dirname, "..");
export const DISPATCH = join(REPO, "shell/dispatch.sh");
export const CLI = join(REPO, "dist/cli.js");

/** A throw-away project with its own home; every path below one temp folder. */
export interface Project {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly layout: Layout;
  write(files: Readonly<Record<string, string>>): void;
  ledger(): Record<string, unknown>[];
  cli(...args: string[]): { stdout: string; stderr: string; status: number | null };
  remove(): void;
}

export function makeProject(files: Readonly<Record<string, string>> = {}, name = "shop"): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-test-")));
  const root = join(base, name);
  const home = join(base, "home");
  mkdirSync(join(root, ".anyhook"), { recursive: true });
  mkdirSync(home);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ANYHOOK_MANAGED_ROOT: join(base, "etc"),
  };
  const project: Project = {
    base,
    root,
    home,
    env,
    layout: layoutOf(root, env),
    write(more) {
      for (const [path, text] of Object.entries(more)) {
        const file = join(path.startsWith("home/") || path.startsWith("etc/") ? base : root, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        if (text.startsWith("#!")) chmodSync(file, 0o755);
      }
    },
    ledger: () => readLedger(project.layout.ledger),
    cli(...args) {
      const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, ...args], {
        cwd: root,
        env,
        encoding: "utf8",
      });
      return { stdout, stderr, status };
    },
    // What a session started detached may still be writing.
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
  project.write(files);
  return project;
}

export function readLedger(folder: string): Record<string, unknown>[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export interface Replied {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export interface Lane {
  readonly name: string;
  readonly shell: readonly string[];
  readonly awk?: string;
  readonly node?: boolean;
  /** Node may be started, but is not asked for. */
  readonly real?: boolean;
}

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Every shell and awk that is here; those that are not are named, so that nobody counts them. */
export function shellLanes(): Lane[] {
  const lanes: (Lane | undefined)[] = [
    { name: "dash", shell: ["dash"] },
    { name: "bash --posix", shell: ["bash", "--posix"] },
    has("busybox") ? { name: "busybox ash", shell: ["busybox", "ash"] } : undefined,
    has("gawk") ? { name: "dash + gawk", shell: ["dash"], awk: "gawk" } : undefined,
    has("busybox")
      ? { name: "dash + busybox awk", shell: ["dash"], awk: "busybox awk" }
      : undefined,
    has("original-awk")
      ? { name: "dash + original-awk", shell: ["dash"], awk: "original-awk" }
      : undefined,
  ];
  return lanes.filter((lane) => lane !== undefined);
}

export const NODE_LANE: Lane = { name: "node", shell: ["dash"], node: true };

/** A PATH on which node exits 99 and awk is the one that the lane names. */
export function lanePath(project: Project, lane: Lane): string {
  const bin = join(project.base, `bin-${lane.name.replace(/\W/g, "-")}${lane.real ? "-real" : ""}`);
  if (!existsSync(bin)) {
    mkdirSync(bin);
    if (!lane.node && !lane.real) {
      writeFileSync(join(bin, "node"), "#!/bin/sh\nexit 99\n");
      chmodSync(join(bin, "node"), 0o755);
    }
    if (lane.awk === "busybox awk") {
      writeFileSync(join(bin, "awk"), '#!/bin/sh\nexec busybox awk "$@"\n');
      chmodSync(join(bin, "awk"), 0o755);
    } else if (lane.awk) symlinkSync(join("/usr/bin", lane.awk), join(bin, "awk"));
  }
  return `${bin}:${project.env["PATH"]}`;
}

export function dispatch(
  project: Project,
  lane: Lane,
  harness: string,
  event: string,
  payload: string | Buffer,
  env: Readonly<Record<string, string>> = {},
  script = DISPATCH,
): Replied {
  const path = lanePath(project, lane);
  const poison = lane.node || lane.real ? {} : { ANYHOOK_NODE: join(path.split(":")[0]!, "node") };
  const { stdout, stderr, status } = spawnSync(
    lane.shell[0]!,
    [...lane.shell.slice(1), script, harness, event],
    {
      cwd: project.root,
      env: {
        ...project.env,
        PATH: path,
        ...poison,
        ...(lane.node ? { ANYHOOK_LANE: "node" } : {}),
        ...env,
      },
      input: payload,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  // About once in a thousand times under load bash remarks on a child that ended before it looked;
  // the reply is whole, and no redirection keeps the remark away.
  const said = stderr.replace(/^.*wait_for: No record of process.*\n/gm, "");
  return { stdout, stderr: said, status };
}

/** A captured payload, with the project's folder in place of the captured one and fields replaced. */
export function payloadOf(
  harness: string,
  fixture: string,
  project: Project,
  change: Readonly<Record<string, unknown>> = {},
): string {
  const file = join(REPO, "test/fixtures", harness, "payloads", `${fixture}.json`);
  const text = readFileSync(file, "utf8").replaceAll(
    "/home/dev/shop",
    JSON.stringify(project.root).slice(1, -1),
  );
  return `${JSON.stringify({ ...(JSON.parse(text) as object), ...change })}\n`;
}
