import { normalize } from "node:path/posix";
import type { Adapter, Tool } from "../adapters/_contract.ts";
import type { Occurrence } from "../model.ts";
import { canonicalPayload, isObjectText, nativeSlice, nativeTool } from "./canonical.ts";

/**
 * What the harness sent → the canonical, decoded event. Fields that are not there simply do not
 * match. `canonical` is the payload in our form where that is known already.
 */
export function decodeOccurrence(
  adapter: Adapter,
  event: string,
  payload: Buffer,
  root: string,
  canonical: Buffer = canonicalPayload(adapter, event, payload),
): Occurrence {
  const data = parseObject(canonical.toString("utf8"));
  const text = (key: string): string => scalarText(data[key]);
  const { native, facts, name } = toolOf(adapter, payload, text("tool_name"));
  const cwd = text("cwd") || process.cwd();
  const session = text("session_id");
  const paths = facts ? pathsOf(facts, data["tool_input"], cwd) : [];
  const names = [native, ...(facts?.names ?? [name])];
  return {
    harness: adapter.id,
    event,
    session,
    cwd,
    tool: name.slice(0, 1000),
    toolNames: native === "" ? [] : [...new Set(names)],
    paths,
    localPaths: root === "" ? [] : paths.flatMap((path) => below(root, path)),
    id: `${safeName(session)}:${event}:${keyOf(adapter, payload, text("tool_use_id"))}`,
    payload: data,
  };
}

interface Named {
  readonly native: string;
  readonly name: string;
  readonly facts: Tool | undefined;
}

function toolOf(adapter: Adapter, payload: Buffer, given: string): Named {
  if (adapter.wire) {
    const sent = isObjectText(payload) ? payload.toString("latin1") : "{}";
    const { native, canonical, facts } = nativeTool(adapter, sent);
    return { native, name: canonical, facts };
  }
  const facts = Object.hasOwn(adapter.tools, given) ? adapter.tools[given] : undefined;
  return { native: given, name: facts?.names[0] ?? given, facts };
}

/**
 * What tells this occurrence from all others of its session and event: the id of the tool call;
 * where there is none, the call (tool and input), which Pre and Post have in common, and the whole
 * payload, whose time tells two equal calls apart.
 */
function keyOf(adapter: Adapter, payload: Buffer, id: string): string {
  const given = Buffer.from(id);
  if (given.length > 0) return given.length > 200 ? eventHash(given) : given.toString();
  const whole = eventHash(payload);
  if (!adapter.wire || !isObjectText(payload)) return whole;
  const text = payload.toString("latin1");
  const tool = nativeSlice(adapter.wire, "tool_name", text)?.value ?? "";
  if (!tool.startsWith('"')) return whole;
  const input = nativeSlice(adapter.wire, "tool_input", text)?.value ?? "";
  return `${eventHash(Buffer.from(`${tool}${input}`, "latin1"))}-${whole}`;
}

const below = (root: string, path: string): string[] =>
  path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Strings as they are, numbers and booleans as text, anything else as nothing. */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return value.toWellFormed();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Part of a file name, so bounded: what is long keeps its beginning and a hash. */
export function safeName(text: string): string {
  const bytes = Buffer.from(text);
  const part =
    bytes.length > 100
      ? `${bytes.toString("latin1", 0, 80)}${eventHash(bytes)}`
      : bytes.toString("latin1");
  return part.replace(/[^A-Za-z0-9_-]/g, "_");
}

function pathsOf(tool: Tool, input: unknown, cwd: string): string[] {
  if (!isObject(input)) return [];
  const named = (tool.paths ?? []).flatMap((key) =>
    key.endsWith("[]") ? scalarText(input[key.slice(0, -2)]).split("\n") : [scalarText(input[key])],
  );
  const patched = tool.patch ? patchPaths(scalarText(input[tool.patch])) : [];
  const absolute = [...named, ...patched]
    .filter((path) => path !== "")
    .map((path) => normalize(path.startsWith("/") ? path : `/${cwd}/${path}`))
    .map((path) => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path));
  return [...new Set(absolute)];
}

/** The files an apply_patch text names. */
function patchPaths(patch: string): string[] {
  return patch.split("\n").flatMap((line) => {
    // Codex trims these lines of all Unicode white space, so a padded header still names its file.
    const text = line.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
    const hit = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): ([^]*)$/.exec(text);
    return hit ? [hit[1]!] : [];
  });
}

/** As in plan.awk: first 4096 and last 512 bytes and the length (R16). */
export function eventHash(payload: Buffer): string {
  let end = payload.length;
  while (end > 0 && " \t\r\n".includes(String.fromCharCode(payload[end - 1]!))) end--;
  const text = payload.subarray(0, end);
  const part =
    end > 4608 ? Buffer.concat([text.subarray(0, 4096), text.subarray(end - 512)]) : text;
  let h = end % 4294967291;
  let g = 7;
  for (const byte of part) {
    h = (h * 31 + byte) % 4294967291;
    g = (g * 131 + byte) % 4294967279;
  }
  const hex = (n: number): string => n.toString(16).padStart(8, "0");
  return `h${hex(h)}${hex(g)}`;
}
