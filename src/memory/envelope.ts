import { isObject, scalarText } from "../dispatch/occurrence.ts";
import type { Signal } from "./_memory.ts";
import { nameOf } from "./name-of.ts";
import type { Envelope } from "./queue.ts";
import { redact, redactValue } from "./redact.ts";

export interface Occasion {
  readonly id: string;
  readonly session: string;
  readonly harness: string;
  readonly event: string;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly payload: Readonly<Record<string, unknown>>;
  readonly now: Date;
}

const PAYLOAD_CHARS = 4096;
/** Redaction sees far more than is kept, so that no secret is cut in two before it is recognised. */
const SEEN_CHARS = 65_536;

/** What one tool call leaves behind, without secrets. */
export async function envelope(of: Occasion): Promise<Envelope> {
  const { payload } = of;
  const tool = scalarText(payload["tool_name"]);
  const input = payload["tool_input"];
  const kept = {
    tool_input: input,
    tool_response: payload["tool_response"],
    error: payload["error"],
  };
  return {
    v: 1,
    recorded_at: of.now.toISOString(),
    id: of.id,
    call: nameOf(scalarText(payload["tool_use_id"])),
    session: of.session,
    harness: of.harness,
    event: of.event,
    tool: await redact(tool.slice(0, 200)),
    cwd: await redact(of.cwd.slice(0, 1000)),
    paths: await Promise.all(of.paths.slice(0, 50).map((path) => redact(path.slice(0, 500)))),
    outcome: outcomeOf(payload, of.event),
    subject: await redact(subjectOf(input, tool, of.paths).slice(0, 4096)).then(cutTo(300)),
    payload: await cutPayload(kept),
  };
}

async function cutPayload(value: unknown): Promise<string> {
  const clean = await redactValue(bounded(value, { left: SEEN_CHARS }));
  // Twice: a secret may be spread over what were several strings.
  return cutTo(PAYLOAD_CHARS)(await redact(JSON.stringify(clean) ?? ""));
}

/** Bytes, since that is what the cap is about; a character is never split. */
const cutTo =
  (bytes: number) =>
  (text: string): string =>
    Buffer.byteLength(text) <= bytes
      ? text
      : Buffer.from(text)
          .subarray(0, bytes)
          .toString("utf8")
          .replace(/\uFFFD$/, "");

/** The first strings of a value, whole ones as far as they go; the last one ends at a blank. */
function bounded(value: unknown, room: { left: number }): unknown {
  if (typeof value === "string") {
    const isWhole = value.length <= room.left;
    const part = isWhole ? value : value.slice(0, room.left).replace(/\S*$/, "");
    room.left -= part.length;
    return part;
  }
  if (Array.isArray(value)) return value.slice(0, 200).map((one) => bounded(one, room));
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).slice(0, 200);
  return Object.fromEntries(pairs.map(([key, one]) => [key.slice(0, 200), bounded(one, room)]));
}

/** Failed: the harness says so, or the tool's answer does. */
export function outcomeOf(
  payload: Readonly<Record<string, unknown>>,
  event: string,
): "ok" | "failed" {
  const response = payload["tool_response"];
  if (/failure/i.test(event) || payload["error"] !== undefined) return "failed";
  if (isObject(response)) {
    const code = response["exit_code"] ?? response["exitCode"];
    const bad =
      response["is_error"] === true || response["success"] === false || !!response["error"];
    return bad || (typeof code === "number" && code !== 0) ? "failed" : "ok";
  }
  return typeof response === "string" && saysFailed(response) ? "failed" : "ok";
}

/** How shells of harnesses report a status within their text. */
export const saysFailed = (text: string): boolean =>
  /^(?:.*\n){0,4}?(?:Error: )?(?:Process exited with code|Exit code:?) [1-9]\d*/.test(
    text.slice(0, 400),
  );

function subjectOf(input: unknown, tool: string, paths: readonly string[]): string {
  const fields = isObject(input) ? input : {};
  const command = scalarText(fields["command"] ?? fields["cmd"]);
  if (command !== "" && !command.startsWith("*** Begin Patch")) return command;
  const path = paths[0] ?? scalarText(fields["file_path"] ?? fields["path"] ?? "");
  return path === "" ? tool : path;
}

export const callId = (session: string, call: string): string => `${session}:${nameOf(call)}`;

export const signalOf = (one: Envelope): Signal => ({
  id: one.call === "" ? one.id : callId(one.session, one.call),
  at: one.recorded_at,
  session: one.session,
  harness: one.harness,
  tool: one.tool,
  outcome: one.outcome,
  subject: one.subject,
  detail: one.outcome === "failed" ? firstLine(one.payload) : "",
  paths: one.paths,
  cwd: one.cwd,
});

/** What the failure says in a line, out of the payload that was kept. */
function firstLine(payload: string): string {
  const said =
    /"(?:error|stderr|tool_response|output)":"((?:[^"\\]|\\.)+)/.exec(payload)?.[1] ?? "";
  return tellingLine(said.replaceAll("\\n", "\n")).slice(0, 160);
}

/** The line that says what went wrong; else the one with the exit code; else the first. */
export function tellingLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const first = (pattern: RegExp): string | undefined => lines.find((line) => pattern.test(line));
  return (
    first(/error|fail|cannot|not found|denied|exception/i) ?? first(/exit/i) ?? first(/./) ?? ""
  );
}
