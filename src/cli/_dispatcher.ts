import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseObject, isObject } from "../dispatch/occurrence.ts";
import type { VerdictKind } from "../model.ts";
import type { Adapter } from "../adapters/_contract.ts";

/** What the dispatcher gave back. */
export interface Returned {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  readonly ms: number;
}

export interface Start {
  /** The folder of dispatch.sh. */
  readonly shell: string;
  readonly adapter: Adapter;
  readonly event: string;
  readonly payload: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The real dispatch.sh, called as a harness calls it. */
export function dispatcher({ shell, adapter, event, payload, cwd, env }: Start): Promise<Returned> {
  const began = performance.now();
  const child = spawn("/bin/sh", [join(shell, "dispatch.sh"), adapter.id, event], {
    cwd,
    env: { ...env, ...projectDir(adapter, cwd) },
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // A dispatcher that answers without reading its input closes the pipe; that is no error.
  child.stdin.on("error", () => {});
  child.stdin.end(payload);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const exit = code ?? 128;
      const ms = Math.round(performance.now() - began);
      const said = signal ? `ended by ${signal}\n` : "";
      resolve({ stdout: text(stdout), stderr: text(stderr) + said, exit, ms });
    });
  });
}

const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");

/** The variable in which this harness names the project, where it has one. */
export const projectDir = (adapter: Adapter, dir: string): Record<string, string> =>
  Object.fromEntries(adapter.projectDir.slice(0, 1).map((name) => [name, dir] as const));

/** A reply as the harness reads it. */
export interface Understood {
  readonly verdict: VerdictKind;
  readonly reason: string;
  readonly context: string;
  readonly notice: string;
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

/** Reads Claude's reply forms, which are all that our adapters speak so far. */
export function understood({
  stdout,
  stderr,
  exit,
}: Pick<Returned, "stdout" | "stderr" | "exit">): Understood {
  const reply = parseObject(stdout);
  const specific = isObject(reply["hookSpecificOutput"]) ? reply["hookSpecificOutput"] : {};
  const nested = isObject(specific["decision"]) ? specific["decision"] : {};
  const input = [specific["updatedInput"], nested["updatedInput"]].find(isObject);
  const first = (...values: unknown[]): string =>
    (values.find((one) => typeof one === "string" && one !== "") as string) ?? "";
  const word = first(specific["permissionDecision"], nested["behavior"], reply["decision"]);
  const reason = first(
    specific["permissionDecisionReason"],
    nested["message"],
    reply["reason"],
    reply["stopReason"],
  );
  return {
    verdict: verdictOf(
      reply,
      word,
      exit,
      input !== undefined || specific["updatedToolOutput"] !== undefined,
    ),
    reason: reason || (exit === 2 ? stderr.trim() : ""),
    context: first(specific["additionalContext"]),
    notice: first(reply["systemMessage"]),
    input,
  };
}

function verdictOf(
  reply: Record<string, unknown>,
  word: string,
  exit: number,
  rewrites: boolean,
): VerdictKind {
  if (reply["continue"] === false) return "halt";
  if (exit === 2 || word === "deny" || word === "block") return "deny";
  if (word === "ask") return "ask";
  if (rewrites) return "rewrite";
  return word === "allow" ? "allow" : "pass";
}
