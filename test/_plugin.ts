import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { adapterOf } from "../src/adapters/_all.ts";
import type { Call, Settings } from "../src/adapters/_settings.ts";
import { DISPATCH, REPO, type Project } from "./_dispatch.ts";

/** What a plugin of ours is given by its harness, and what it says to the person. */
export interface Loaded {
  readonly on: Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;
  readonly notices: string[];
  /** From now on the harness's context throws at every touch, as Pi's does after its session. */
  readonly over: () => void;
}

let count = 0;

/** The rendered file, loaded; `command` stands in for the dispatcher, `timeout` is its patience. */
export async function loadPlugin(
  project: Project,
  harness: string,
  command = "",
  timeout = 60_000,
): Promise<Loaded> {
  const adapter = adapterOf(harness)!;
  const env = Object.entries(project.env).map(([name, value]) => `${name}='${value}'`);
  const calls = Object.entries(adapter.surfaces).map(([event, { native }]): Call => ({
    ...{ harness, event, native, timeout, argv: [] },
    command: command || `${env.join(" ")} exec '${DISPATCH}' ${harness} ${event}`,
  }));
  const settings: Settings = adapter.settings;
  const file = join(project.base, `plugin-${count++}.mjs`);
  writeFileSync(file, settings.render!(calls)[""]!);
  const exported = (await import(pathToFileURL(file).href)) as Exported;
  return exported.default
    ? extensionOf(project, exported.default)
    : pluginOf(project, exported.Anyhook!);
}

interface Exported {
  readonly default?: (pi: unknown) => void;
  readonly Anyhook?: (given: unknown) => Promise<Loaded["on"]>;
}

/** opencode: a function of its client that gives the hooks. */
async function pluginOf(
  project: Project,
  plugin: NonNullable<Exported["Anyhook"]>,
): Promise<Loaded> {
  const notices: string[] = [];
  const showToast = ({ body }: { body: { message: string } }): void => {
    notices.push(body.message);
  };
  return {
    on: await plugin({ directory: project.root, client: { tui: { showToast } } }),
    notices,
    over: () => {},
  };
}

/** Pi: a function that registers handlers, each of which is called with the event and a context. */
function extensionOf(project: Project, extension: NonNullable<Exported["default"]>): Loaded {
  const on: Record<string, (...given: unknown[]) => Promise<unknown>> = {};
  const notices: string[] = [];
  const stale = new Proxy({}, { get: () => expect.fail("the context is stale") });
  let isOver = false;
  const ctx = {
    cwd: project.root,
    hasUI: true,
    ui: { notify: (message: string) => notices.push(message) },
    isIdle: () => true,
    sessionManager: { getSessionId: () => "s1", getSessionFile: () => "/s1.jsonl" },
  };
  extension({
    on: (name: string, run: (event: unknown, ctx: unknown) => Promise<unknown>) => {
      on[name] = (event) => run(event, isOver ? stale : ctx);
    },
  });
  return { on, notices, over: () => void (isOver = true) };
}

/** What the real client gave to a plugin, with members replaced. */
export const captured = (harness: string, name: string, change: object = {}): object => ({
  ...(JSON.parse(
    readFileSync(join(REPO, "test/fixtures", harness, "captured", `${name}.json`), "utf8"),
  ) as object),
  ...change,
});
