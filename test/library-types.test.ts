import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FIELD_NAMES } from "../src/compile/fields.ts";
import { EVENT_NAMES, EVENTS, type EventName } from "../src/events.ts";
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
  run(event) {
    same<typeof event, EventOf<"PreToolUse">>(true);
    return event.tool_input.command;
  },
});

export const aliases = defineHook({
  events: ["BeforeTool", "POST_TOOL_USE"],
  run(event, { signal }) {
    same<typeof event.event, "PreToolUse" | "PostToolUse">(true);
    signal.throwIfAborted();
  },
});

export const one_of = defineHook({ events: "PreToolUse", timeout: "5s", matcher: { tool_name: /x/ }, run() {} });
export const nobody = defineHook({ event: "PreToolUze", run() {} }); // refused
export const seconds = defineHook({ event: "Stop", timeout: "soon", run() {} }); // refused

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

/** What the author of a program writes. */
const PROGRAM = `
import { defineHook, HookEvents, HookExecutor, type HookFields } from "anyhook";

const alias = defineHook({ event: "pre-tool-use", run() {} });
const executor = new HookExecutor({
  hooks: [
    alias,
    { event: "PRE_TOOL_USE", command: "true" },
    { events: ["Stop", "session.idle"], command: ["a", "b"], timeout: "5s", matcher: { tool_name: /x/ } },
    { event: "PreToolUse", prompt: "fine?", provider: "claude-cli", cache_ttl: "5m" },
    { event: "PreToolUse", run: (event, { signal }) => (signal.aborted ? null : String(event.tool_name)) },
  ],
  blocking: ["PRE_TOOL_USE"],
  chain: { "pre-tool-use": "first-block" },
});
interface Mine { session_id: string; mine: number }
declare const mine: Mine;
await executor.execute("PreToolUse", { tool_name: "Bash", tool_input: {}, anything: 5 });
await executor.execute(HookEvents.STOP, mine, { signal: AbortSignal.timeout(5), chain: "run-all" });
await executor.execute("before-tool" as "BeforeTool", {});
await executor.execute("PreToolUze", {}); // refused
await executor.execute("PreToolUse", { tool_name: 5 }); // refused
await executor.execute("Stop", "text"); // refused
await executor.execute("Stop", {}, { chian: "run-all" }); // refused
new HookExecutor({ hooks: [], blocking: ["PRE_TOL"] }); // refused
new HookExecutor({ hooks: [], chain: { PreTool: "run-all" } }); // refused
new HookExecutor({ hooks: [{ event: "Stop", command: "true", on_failur: "block" }] }); // refused
new HookExecutor({ hooks: [{ event: "Stop", prompt: "x", provider: "antropic" }] }); // refused
new HookExecutor({ hooks: [{ event: "Stop", url: "x", headers: 5 }] }); // refused
new HookExecutor({ hooks: [{ event: "Stop", run: (e: number) => 5 }] }); // refused
new HookExecutor({ hooks: [{ event: "Stpo", command: "true" }] }); // refused

export const fields: Record<Exclude<keyof HookFields, "run" | "event">, true> = {
FIELDS
};
export const spelled = [
SPELLINGS
];
`;

const words = (name: string, between: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => between + letter).toLowerCase();

const spellingsOf = (name: EventName): string[] => [
  ...[name, words(name, "-"), words(name, "_"), words(name, "_").toUpperCase()],
  ...EVENTS[name].aliases,
];

/** Known, so that it can be said that they have no effect. */
const DEAF: readonly string[] = ["env", "agent"];

/** Every field that is known, and every name that an event has. */
const program = PROGRAM.replace(
  "FIELDS",
  FIELD_NAMES.filter((name) => !DEAF.includes(name))
    .map((name) => `  ${name}: true,`)
    .join("\n"),
).replace(
  "SPELLINGS",
  EVENT_NAMES.flatMap((name) =>
    spellingsOf(name).map(
      (spelling) =>
        `  defineHook({ event: "${spelling}", run(e) { const is: "${name}" = e.event; void is; } }),`,
    ),
  ).join("\n"),
);

const config = (file: string, entry: string): object => ({
  files: [file],
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ["node"] },
    ...{ target: "esnext", module: "preserve", moduleResolution: "bundler" },
    allowImportingTsExtensions: true,
    typeRoots: [join(REPO, "node_modules/@types")],
    paths: { anyhook: [join(REPO, entry)] },
  },
});

test.each([
  ["run gets the payload of its event, and nothing else", "src/authoring.ts", AUTHOR],
  ["a program may write all that is known, and nothing else", "src/index.ts", program],
])(
  "%s passes the compiler",
  (_, entry, source) => {
    const folder = mkdtempSync(join(tmpdir(), "anyhook-types-"));
    try {
      writeFileSync(join(folder, "author.ts"), source);
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config("author.ts", entry)));
      const tsc = join(REPO, "node_modules/typescript/bin/tsc");
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
        encoding: "utf8",
      });
      const lines = stdout
        .split("\n")
        .filter((line) => /^\S/.test(line))
        .map((line) => /^author\.ts\((\d+),/.exec(line.replace(/^.*author/, "author"))?.[1] ?? line)
        .map((line) => source.split("\n")[Number(line) - 1]?.trim() ?? line);
      const refused = source
        .split("\n")
        .filter((line) => line.endsWith("// refused"))
        .map((line) => line.trim());
      expect([...new Set(lines)].toSorted()).toEqual(refused.toSorted());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);

test("every event has its fields", () => {
  expect(EVENT_NAMES.filter((event) => !fieldsAt(event))).toEqual([]);
  expect(fieldsAt("FileChanged")).toBeUndefined();
});
