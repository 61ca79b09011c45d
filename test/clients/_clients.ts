import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DRIVERS } from "../../src/prove/clients/_all.ts";
import { toTool, type NativeHook } from "../../src/prove/clients/_driver.ts";
import { startModel, type Model } from "../../src/prove/model/model.ts";
import type { Turn } from "../../src/prove/model/script.ts";
import type { Client } from "../../src/prove/session.ts";
import { makeStage, type Stage } from "../../src/prove/stage.ts";
import { layoutOf } from "../../src/dispatch/layout.ts";
import { CLI, DISPATCH, readLedger, type Project } from "../_dispatch.ts";

export interface Pinned {
  readonly harness: string;
  readonly package: string;
  readonly version: string;
}

export const PINNED = JSON.parse(
  readFileSync(join(import.meta.dirname, "clients.json"), "utf8"),
) as readonly Pinned[];

const PROGRAMS = JSON.parse(process.env["ANYHOOK_CLIENT_PROGRAMS"] ?? "{}") as Readonly<
  Record<string, readonly string[]>
>;

export const isOptional = process.env["ANYHOOK_CLIENTS_OPTIONAL"] === "1";

/** The client as it is driven; its command is empty when it is not there. */
export const clientOf = ({ harness, version }: Pinned): Client => ({
  driver: DRIVERS.find((driver) => driver.harness === harness)!,
  version,
  command: PROGRAMS[harness] ?? [],
});

/** A model for a program that is not told which script to name. */
export const startScript = (harness: string, turns: readonly Turn[]): Promise<Model> =>
  startModel({
    scripts: { "": turns },
    toTool: (call) => toTool(DRIVERS.find((one) => one.harness === harness)!.tools, call),
    fullAt: 0,
  });

/** The events that are connected: the same six on every client of Claude's family. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SessionEnd",
] as const;

export const commandOf = (harness: string, event: string): string =>
  `'${DISPATCH}' ${harness} ${event}`;

/** One entry per event, in the form that docs/connecting.md tells people to paste. */
export const stanza = (harness: string): NativeHook[] =>
  EVENTS.map((event) => ({ event, command: commandOf(harness, event) }));

/** The project that every client works in: a copy of test/clients/project, with its own home. */
export function makeProjectStage(): Stage {
  const stage = makeStage();
  cpSync(join(import.meta.dirname, "project"), stage.project, { recursive: true });
  mkdirSync(join(stage.project, "packages/web"), { recursive: true });
  return stage;
}

/** A stage as the other tests know projects: with a command line and a ledger. */
export function projectOn(stage: Stage): Project {
  const { base, home, project: root } = stage;
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ANYHOOK_MANAGED_ROOT: join(base, "etc"),
  };
  const layout = layoutOf(root, env);
  return {
    ...{ base, root, home, env, layout },
    write: (files) =>
      stage.write(
        Object.fromEntries(
          Object.entries(files).map(([path, text]) => [
            path.startsWith("home/") ? path : join("project", path),
            text,
          ]),
        ),
      ),
    ledger: () => readLedger(layout.ledger),
    cli: (...args) =>
      spawnSync(process.execPath, [CLI, ...args], { cwd: root, env, encoding: "utf8" }),
    remove: () => stage.clear(),
  };
}
