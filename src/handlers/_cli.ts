import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, parse } from "node:path";
import { ADAPTERS } from "../adapters/_all.ts";
import type { Asks } from "../adapters/_asks.ts";
import { parseObject } from "../dispatch/occurrence.ts";
import { inputTokens } from "./_anthropic.ts";
import { isExecutable } from "./command.ts";
import { runProcess } from "./_process.ts";
import type { Completed, Completion, Provider } from "./_provider.ts";
import { scrubbed } from "./_request.ts";
import { Failure, leftFor } from "./_settled.ts";
import { numberAt, objectAt, textAt } from "./_sse.ts";
import { trim } from "./_verdict.ts";
import type { Work } from "./index.ts";

/** The programs that can be asked, in the order in which `auto` tries them. */
export const PROGRAMS: readonly Asks[] = ADAPTERS.flatMap((adapter) =>
  adapter.asks ? [adapter.asks] : [],
);

export const isInstalled = ({ program }: Asks, env: NodeJS.ProcessEnv): boolean =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .some((dir) => dir !== "" && isExecutable(join(dir, program)));

/** A harness that the user is logged in to, asked as a program: no key is needed. */
export function cli(asks: Asks, model: string, work: Work): Provider {
  return {
    name: asks.provider,
    model: model || "its own choice",
    takesTools: false,
    complete: (completion) => ask(asks, model, work, completion),
  };
}

async function ask(
  asks: Asks,
  model: string,
  work: Work,
  { system, turns, limit }: Completion,
): Promise<Completed> {
  if (!isInstalled(asks, work.env)) throw new Failure(`${asks.program} is not on PATH`);
  const question = turns.map((turn) => ("text" in turn ? turn.text : "")).join("\n\n");
  const run = await runProcess({
    argv: [asks.program, ...asks.argv, ...(model === "" ? [] : [asks.model, model])],
    cwd: emptyFolder(work),
    // ANYHOOK_DEPTH is in it: inside this program our own hooks stay quiet.
    env: { ...work.env, ...asks.env },
    input: Buffer.from(`${system}\n\n${question}\n`),
    timeout: leftFor(limit),
    signal: limit.signal,
  });
  if (run.status === "timeout") throw new Failure(`${asks.program}: ${run.detail}`, true);
  const said = trim(run.stdout);
  if (run.status !== "ok" || run.exit !== 0) {
    const why = scrubbed(trim(run.stderr) || said, "");
    throw new Failure(`${asks.program}: ${run.detail || `exit ${run.exit}`}: ${why}`);
  }
  return asks.answer === "text" ? plain(said) : fromJson(said, asks);
}

/**
 * Neither the project's files nor its instructions are near. Without a store it is the root, where
 * nobody but the machine's owner puts a file: in a folder for everybody's temporary files, anybody
 * could leave instructions.
 */
function emptyFolder({ slot }: Work): string {
  if (slot === "") return parse(tmpdir()).root;
  const folder = join(slot, "asked");
  mkdirSync(folder, { recursive: true });
  return folder;
}

const plain = (text: string): Completed => ({
  text,
  calls: [],
  usage: { input: 0, output: 0 },
});

function fromJson(text: string, { program, answer }: Asks): Completed {
  const data = parseObject(text);
  if (data["is_error"] === true)
    throw new Failure(`${program}: ${scrubbed(textAt(data, answer), "")}`);
  if (typeof data[answer] !== "string") throw new Failure(`${program}: printed no ${answer}`);
  const usage = objectAt(data, "usage");
  return {
    ...plain(data[answer]),
    usage: { input: inputTokens(usage), output: numberAt(usage, "output_tokens") },
  };
}
