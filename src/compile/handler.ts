import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { HandlerKind } from "../model.ts";
import type { FieldName, Fields, Report, TypeName } from "./fields.ts";
import { nameOfCommand, stem } from "./names.ts";
import { wrongAddress } from "./web-address.ts";

/** What a hook runs. */
export interface Handler {
  readonly kind: HandlerKind;
  /** As Definition.run. */
  readonly run: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly broken?: string;
}

/** Which of these keys says what runs, per type; the first is the usual one. */
const KEYS = {
  command: ["command", "script", "path"],
  module: ["module"],
  http: ["url"],
  prompt: ["prompt"],
  agent: ["prompt"],
} as const satisfies Record<TypeName, readonly FieldName[]>;

type Key = (typeof KEYS)[TypeName][number];

const ALL_KEYS: readonly Key[] = ["command", "script", "path", "module", "url", "prompt"];

export const NOTHING: Handler = { kind: "shell", run: "" };

/** The handler that the fields name; `script`, `path` and `module` still as they were written. */
export function handlerOf(
  fields: Fields,
  line: number,
  report: Report,
): Handler & { key: Key | "" } {
  const key = keyOf(fields, line, report);
  if (key === "") return { ...NOTHING, key };
  if (fields.args && key !== "command") {
    report.say(
      "error",
      line,
      "args-without-command",
      "args: need a command",
      "write command: program",
    );
  }
  return { ...READ[key](fields), key };
}

const READ = {
  command: ({ command = "", args }) => {
    const argv = args ? [command, args].flat() : command;
    return typeof argv === "string"
      ? { kind: "shell", run: argv }
      : { kind: "exec", run: JSON.stringify(argv) };
  },
  script: ({ script = "" }) => ({ kind: "script", run: script }),
  path: ({ path = "" }) => ({ kind: "script", run: path }),
  module: ({ module = "" }) => ({ kind: "module", run: module }),
  url: ({ url = "" }) => ({ kind: "http", run: wrongAddress(url) ? "" : url }),
  prompt: ({ type, prompt = "" }) => ({ kind: type === "agent" ? "agent" : "prompt", run: prompt }),
} satisfies Record<Key, (fields: Fields) => Handler>;

function keyOf(fields: Fields, line: number, report: Report): Key | "" {
  const written = ALL_KEYS.filter((key) => fields[key] !== undefined);
  const wanted: readonly Key[] = fields.type ? KEYS[fields.type] : ALL_KEYS;
  const [key, second] = written;
  if (key === undefined) return missing(fields, wanted[0]!, line, report);
  if (second !== undefined) {
    const message = `says ${written.join(" and ")}, but a hook runs one thing`;
    report.say("error", line, "several-handlers", message, "make two hooks of it");
  } else if (!wanted.includes(key)) {
    const message = `type ${fields.type} does not go with ${key}`;
    report.say(
      "error",
      line,
      "wrong-handler",
      message,
      `write ${wanted.join(" or ")}, or change the type`,
    );
  } else if (key === "url") {
    const wrong = wrongAddress(fields.url ?? "");
    if (wrong) report.say("error", line, "bad-url", `url: ${wrong.message}`, wrong.hint);
  }
  return key;
}

/** An entry that switches a hook off needs nothing to run. */
function missing(fields: Fields, wanted: Key, line: number, report: Report): "" {
  const reported = report.diagnostics.some(({ message }) =>
    ALL_KEYS.some((key) => message.startsWith(`${key}:`)),
  );
  if (fields.enabled !== false && !reported) {
    report.say("error", line, "missing-handler", "says nothing to run", `add ${wanted}: …`);
  }
  return "";
}

/** A name for a hook that was given none. */
export function nameOfHandler({ kind, run }: Handler): string {
  if (kind === "script" || kind === "module") return stem(run);
  if (kind === "http")
    return nameOfCommand(run.replace(/^https?:\/\/|[?#].*$/g, "").replace(/\/+$/, ""));
  if (kind === "exec") return nameOfCommand(JSON.parse(run) as string[]);
  return kind === "shell" ? nameOfCommand(run) : kind;
}

/** The file that is meant: below the first of these folders that has it, else below the first. */
export function fileBelow(written: string, ...folders: readonly string[]): string {
  if (written.startsWith("~/")) return join(homedir(), written.slice(2));
  const candidates = folders.map((folder) => resolve(folder, written));
  return candidates.find((file) => existsSync(file)) ?? candidates[0]!;
}
