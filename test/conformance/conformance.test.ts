import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  dispatch,
  makeProject,
  NODE_LANE,
  payloadOf,
  shellLanes,
  type Lane,
  type Project,
} from "../_dispatch.ts";

/** One file per case; see cases/README.md for the format. */
interface Case {
  readonly title: string;
  readonly event: string;
  readonly payload: string | Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, unknown>>;
  /** Texts of the payload that are replaced as they stand: what no serializer writes. */
  readonly raw?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** node: a chosen hook is no command, so the shell alone cannot. */
  readonly lanes?: "all" | "node" | "real";
  /** Events of the same session that came first; their replies are not looked at. */
  readonly before?: readonly Earlier[];
  readonly expect: Readonly<Record<string, Expected>>;
  readonly ledger?: {
    decision?: Record<string, unknown>;
    hooks?: Record<string, unknown>[];
    notes?: string[];
  };
  /** Files that must hold exactly this afterwards. */
  readonly after?: Readonly<Record<string, string>>;
}

/** What is not said is as in the case itself. */
interface Earlier {
  readonly event?: string;
  readonly payload?: Case["payload"];
  readonly change?: Case["change"];
  readonly env?: Case["env"];
  readonly times?: number;
  /** Written before this event, as somebody edits while a session runs. */
  readonly files?: Case["files"];
  /** Wait until all detached hooks are done. */
  readonly settled?: boolean;
}

interface Expected {
  readonly exit: number;
  /** An object is compared as JSON, a string as text; absent = empty. */
  readonly stdout?: unknown;
  readonly stderr?: string;
}

const folder = join(import.meta.dirname, "cases");
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((name) => ({ file: name, ...(parse(readFileSync(join(folder, name), "utf8")) as Case) }));

/** real: begins in the shell, with a node that works, and may end in Node. */
const LANES: Readonly<Record<NonNullable<Case["lanes"]>, () => Lane[]>> = {
  all: () => [...shellLanes(), NODE_LANE],
  node: () => [NODE_LANE],
  real: () => [...shellLanes().map((lane) => ({ ...lane, real: true })), NODE_LANE],
};

const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

/** Compiled once per case; between two runs everything that a run can leave behind goes. */
function compiled(files: Case["files"]): Project {
  const project = makeProject(files);
  projects.push(project);
  const made = project.cli("materialize", "--quiet");
  expect(made.status, made.stderr).toBe(0);
  return project;
}

function reset(project: Project): void {
  for (const name of readdirSync(project.root))
    if (name !== ".anyhook") rmSync(join(project.root, name), { recursive: true });
  const { slot, ledger } = project.layout;
  for (const folder of [ledger, join(slot, "state"), join(slot, "inbox")])
    if (existsSync(folder)) for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

/** As the shell lanes have no node to compile with. */
function edit(project: Project, files: Case["files"]): void {
  project.write(files);
  const made = project.cli("materialize", "--quiet");
  expect(made.status, made.stderr).toBe(0);
}

/** Detached hooks have ended when the last runner has taken its marks away. */
function settle(project: Project): void {
  const queue = join(project.layout.slot, "queue");
  const left = (): string[] => readdirSync(queue).filter((name) => name !== "lost");
  for (let i = 0; i < 300 && left().length > 0; i++) spawnSync("sleep", ["0.05"]);
  expect(left(), "all detached hooks are done").toEqual([]);
}

describe.each(cases)("$file: $title", (c) => {
  const lanes = LANES[c.lanes ?? "all"]();
  let shared: Project | undefined;

  test.each(Object.keys(c.expect))("%s, the same in every lane", (harness) => {
    const want = c.expect[harness]!;
    const project = (shared ??= compiled(c.files));
    const payloadFor = (one: Pick<Case, "payload" | "change">): string => {
      const fixture = typeof one.payload === "string" ? one.payload : one.payload[harness]!;
      const text = payloadOf(harness, fixture, project, fill(one.change, project));
      return Object.entries(c.raw ?? {}).reduce(
        (all, [from, to]) => all.replaceAll(from, to),
        text,
      );
    };
    const payload = payloadFor(c);
    const replies = lanes.map((lane) => {
      reset(project);
      for (const earlier of c.before ?? []) {
        if (earlier.files) edit(project, earlier.files);
        const one = { payload: c.payload, change: c.change, ...earlier } as Case;
        for (let i = 0; i < (earlier.times ?? 1); i++)
          dispatch(project, lane, harness, earlier.event ?? c.event, payloadFor(one), {
            ...c.env,
            ...earlier.env,
          });
        if (earlier.settled) settle(project);
      }
      const { stdout, stderr, status } = dispatch(project, lane, harness, c.event, payload, c.env);
      const entry = project.ledger().at(-1);
      for (const [path, text] of Object.entries(c.after ?? {}))
        expect(read(join(project.root, path)), `${lane.name}: ${path}`).toBe(text);
      const hide = (text: string): string => text.replaceAll(project.root, "{project}");
      return {
        lane: lane.name,
        stdout: hide(stdout),
        stderr: hide(stderr),
        exit: status,
        entry: facts(entry),
      };
    });
    for (const { lane, ...reply } of replies) {
      const stdout =
        typeof want.stdout === "object"
          ? (JSON.parse(reply.stdout || "null") as unknown)
          : reply.stdout;
      expect({ stdout, stderr: reply.stderr, exit: reply.exit }, lane).toEqual({
        stdout: want.stdout ?? "",
        stderr: want.stderr ?? "",
        exit: want.exit,
      });
      if (c.ledger) expect(reply.entry, lane).toMatchObject(c.ledger);
      const { lane: _, ...first } = replies[0]!;
      expect(reply, `${lane} answers as ${replies[0]!.lane}`).toEqual(first);
    }
  });
});

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/** `{project}` in a changed field is the project's folder. */
const fill = (change: Case["change"], project: Project): Record<string, unknown> =>
  JSON.parse(JSON.stringify(change ?? {}).replaceAll("{project}", project.root)) as Record<
    string,
    unknown
  >;

/** What must not depend on the lane: everything but the clock, the lane itself and the place. */
function facts(entry: Record<string, unknown> | undefined): Record<string, unknown> {
  const { time: _t, ms: _m, lane: _l, manifest: _h, id: _i, hooks, ...rest } = entry ?? {};
  const timeless = (hooks as Record<string, unknown>[] | undefined)?.map(
    ({ ms: _ms, ...hook }) => hook,
  );
  return { ...rest, hooks: timeless };
}
