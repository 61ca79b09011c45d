import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_NAMES } from "../src/events.ts";
import { fieldsAt } from "../src/dispatch/placeholders.ts";
import { REPO } from "./_dispatch.ts";

/** What an author writes; a line that must be refused says so at its end. */
const AUTHOR = `
import { defineHook, deny, type EventOf, type Payloads } from "anyhook";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export const one = defineHook({
  event: "PreToolUse",
  run(event) {
    same<typeof event, EventOf<"PreToolUse">>(true);
    const name: string = event.tool_name;
    const command: string | undefined = event.tool_input.command;
    const wrong: number = event.tool_name; // refused
    if (command?.includes(name)) return deny("no");
  },
});

export const prompt = defineHook({
  event: "UserPromptSubmit",
  run: (event) => event.prompt.toUpperCase(),
});

export const absent = defineHook({
  event: "UserPromptSubmit",
  run: (event) => event.tool_input.command, // refused
});

export const several = defineHook({
  events: ["PreToolUse", "PostToolUse"],
  async run(event) {
    same<typeof event.event, "PreToolUse" | "PostToolUse">(true);
    if (event.event === "PostToolUse") return { context: String(event.tool_response) };
    return undefined;
  },
});

export const alias = defineHook({
  event: "pre-tool-use",
  run: (event) => event.tool_input?.command ?? null,
});

export const answer = defineHook({
  event: "Stop",
  run: (event) => (event.stop_hook_active ? 5 : undefined), // refused
});

export const field = defineHook({
  event: "Stop",
  async: true,
  notify: "context",
  timout: 5, // refused
  run() {},
});

export type Names = keyof Payloads;
`;

const config = {
  files: ["author.ts"],
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: "es2022", module: "preserve", moduleResolution: "bundler" },
    allowImportingTsExtensions: true,
    paths: { anyhook: [join(REPO, "src/authoring.ts")] },
  },
};

test("run gets the payload of its event, and nothing else passes the compiler", () => {
  const folder = mkdtempSync(join(tmpdir(), "anyhook-types-"));
  try {
    const file = join(folder, "author.ts");
    writeFileSync(file, AUTHOR);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(REPO, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
    });
    const lines = stdout
      .split("\n")
      .filter((line) => /^\S/.test(line))
      .map((line) => /author\.ts\((\d+),/.exec(line)?.[1] ?? line)
      .map((line) => AUTHOR.split("\n")[Number(line) - 1]?.trim() ?? line);
    const refused = AUTHOR.split("\n")
      .filter((line) => line.endsWith("// refused"))
      .map((line) => line.trim());
    expect([...new Set(lines)].toSorted()).toEqual(refused.toSorted());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);

test("every event has its fields", () => {
  expect(EVENT_NAMES.filter((event) => !fieldsAt(event))).toEqual([]);
  expect(fieldsAt("FileChanged")).toBeUndefined();
});
