import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { eventHash, parseObject, safeName, scalarText } from "../dispatch/occurrence.ts";
import type { Env } from "./_memory.ts";
import { nameOf } from "./name-of.ts";

/** What a verb of `anyhook hook` is called with: the payload, and flags for people. */
export interface Args {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly session: string;
  readonly harness: string;
  /** R16: the dispatcher's, or made in the same way. */
  readonly id: string;
  readonly transcript: string;
  readonly prompt: string;
  readonly paths: readonly string[];
  readonly env: Env;
  readonly now: Date;
  /** What the model is to read. */
  readonly print: (text: string) => void;
  /** What a person is to read, on stderr and in the ledger. */
  readonly say: (text: string) => void;
}

export const FLAGS = {
  cwd: { type: "string" },
  session: { type: "string" },
  transcript: { type: "string" },
  prompt: { type: "string" },
  payload: { type: "string" },
} as const;

export interface Surface {
  readonly env: Env;
  readonly stdin: () => Promise<string>;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
}

/** A flag counts before the payload, so that one can try things out. */
export async function argsOf(
  event: string,
  argv: readonly string[],
  surface: Surface,
): Promise<Args> {
  const { values } = parseArgs({
    args: [...argv],
    options: FLAGS,
    allowPositionals: true,
    strict: false,
  });
  const flag = (name: keyof typeof FLAGS): string => scalarText(values[name]);
  const file = flag("payload");
  const text = file === "" || file === "-" ? await surface.stdin() : readFileSync(file, "utf8");
  const payload = parseObject(text);
  const { env } = surface;
  const session = nameOf(flag("session") || scalarText(payload["session_id"]));
  const call = scalarText(payload["tool_use_id"]) || eventHash(Buffer.from(text.trimEnd()));
  return {
    ...{ event, payload, session, env, print: surface.print, say: surface.say },
    cwd: flag("cwd") || scalarText(payload["cwd"]) || process.cwd(),
    harness: env["ANYHOOK_HARNESS"] ?? "",
    id: nameOf(env["ANYHOOK_EVENT_ID"] || `${safeName(session)}:${event}:${call}`),
    transcript: flag("transcript") || scalarText(payload["transcript_path"]),
    prompt: flag("prompt") || scalarText(payload["prompt"]),
    paths: (env["ANYHOOK_PATHS"] ?? "").split("\n").filter(Boolean),
    now: new Date(),
  };
}
