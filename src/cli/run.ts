import { resolve } from "node:path";
import type { Installation } from "../compile/materialize.ts";
import { Fault } from "../fault.ts";
import { VERSION } from "../version.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { isColoured, paint, steady } from "./_paint.ts";
import { parse, splitVerb, unknownVerb } from "./_parse.ts";
import { VERBS, verbNamed } from "./_verbs.ts";

/** CLI exits: 0 ok, 1 problem found, 2 usage, 3 fault, 130 interrupted. */
export async function run(argv: readonly string[], installation: Installation): Promise<number> {
  const unread = unreadSignal();
  try {
    const { answer, json } = await answerTo(argv, installation, unread);
    if (json && answer.json !== undefined)
      process.stdout.write(`${JSON.stringify(answer.json, undefined, 2)}\n`);
    else if (!json && answer.text !== "")
      process.stdout.write(
        `${splitVerb(argv).verb === "path" ? answer.text : steady(answer.text)}\n`,
      );
    return answer.exit;
  } catch (error) {
    return tell(error, argv.includes("--json"));
  }
}

/** Closed output is no error (`anyhook log -f | head`): who goes on writing looks here, and ends. */
function unreadSignal(): AbortSignal {
  const closed = new AbortController();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
    closed.abort();
  });
  return closed.signal;
}

async function answerTo(
  argv: readonly string[],
  installation: Installation,
  unread: AbortSignal,
): Promise<{ answer: Answer; json: boolean }> {
  const { verb, rest } = splitVerb(argv);
  if (verb === "" && (rest.includes("--version") || rest.includes("-V"))) {
    return {
      answer: { exit: 0, json: { version: VERSION }, text: VERSION },
      json: rest.includes("--json"),
    };
  }
  const facts = verb === "" ? VERBS["help"]! : verbNamed(verb);
  if (!facts) throw unknownVerb(verb);
  const parsed = parse(verb, facts, rest);
  const asked = parsed.values["help"] === true && verb !== "";
  const of = asked
    ? { verb: "help", facts: VERBS["help"]!, operands: [verb] }
    : { verb, facts, operands: parsed.operands };
  const call = { ...callOf(of.verb, of.operands, parsed.values, installation), unread };
  const does = await of.facts.load();
  return { answer: await does(call), json: call.json };
}

function callOf(
  verb: string,
  operands: Call["operands"],
  values: ReturnType<typeof parse>["values"],
  installation: Installation,
): Omit<Call, "unread"> {
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    ...{ verb, operands, installation, text, env: process.env },
    flag: (name) => values[name] === true,
    json: values["json"] === true,
    from: resolve(text("project") ?? "."),
    paint: paint(isColoured(process.stdout, process.env)),
    width: process.stdout.isTTY ? process.stdout.columns || Infinity : Infinity,
  };
}

interface Trouble {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

function tell(error: unknown, json: boolean): number {
  const { exit, ...said } = troubleOf(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: said }, undefined, 2)}\n`);
  const lines = `anyhook: ${said.message}\n${said.hint === "" ? "" : `  ${said.hint}\n`}`;
  process.stderr.write(steady(lines));
  if (exit === 3 && process.env["ANYHOOK_TRACE"] === "1" && error instanceof Error) {
    process.stderr.write(`${error.stack ?? ""}\n`);
  }
  return exit;
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof Misuse)
    return { exit: 2, code: "usage", message: error.message, hint: error.hint };
  if (error instanceof Missing)
    return { exit: 1, code: "not-found", message: error.message, hint: error.hint };
  if (error instanceof Fault)
    return { exit: 3, code: error.code, message: error.message, hint: error.hint };
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unexpected";
  return {
    exit: 3,
    code,
    message: ERRNO[code]?.(error as NodeJS.ErrnoException) ?? message,
    hint: HINTS[code] ?? TRACE,
  };
}

const TRACE = "this should not happen; ANYHOOK_TRACE=1 shows where";

type Wording = (error: NodeJS.ErrnoException) => string;

/** What the system says, in words. */
const ERRNO: Readonly<Record<string, Wording>> = {
  EACCES: ({ path }) => `not permitted: ${path ?? ""}`,
  EPERM: ({ path }) => `not permitted: ${path ?? ""}`,
  EROFS: ({ path }) => `cannot be written, the file system is read-only: ${path ?? ""}`,
  ENOSPC: ({ path }) => `no space left for ${path ?? "writing"}`,
};

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "check who owns it; ANYHOOK_HOME puts the store elsewhere",
  EPERM: "check who owns it; ANYHOOK_HOME puts the store elsewhere",
  EROFS: "ANYHOOK_HOME puts the store elsewhere",
  ENOSPC: "ANYHOOK_HOME puts the store elsewhere",
};
