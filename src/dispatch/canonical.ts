import type { Adapter, Tool, Wire } from "../adapters/_contract.ts";
import { canonicalInput } from "./input-keys.ts";
import { bytesOf, elementsOf, membersOf, rawKey, skipSpace, stringOf } from "./raw.ts";

/**
 * The payload in Claude's shape, built from slices of what the harness sent: numbers and texts stay
 * as written. A harness that speaks that shape is passed on byte for byte. shell/wire.awk says the
 * same in awk.
 */
export function canonicalPayload(adapter: Adapter, event: string, native: Buffer): Buffer {
  const { wire } = adapter;
  if (!wire || !isObjectText(native)) return native;
  const text = native.toString("latin1");
  const tool = nativeTool(adapter, text);
  const said: [string, string][] = [["hook_event_name", JSON.stringify(event)]];
  const used = new Set<string>();
  for (const name of Object.keys(wire.fields)) {
    const found = nativeSlice(wire, name, text);
    if (!found) continue;
    used.add(found.path.split(".")[0]!);
    said.push([name, translated(name, found.value)]);
  }
  const taken = new Set(["hook_event_name", ...Object.keys(wire.fields)]);
  const members = said.map(([name, value]) => `"${name}":${value}`);
  for (const { key, name, value } of membersOf(text))
    if (!used.has(key) && !taken.has(key))
      members.push(`${rawKey(name)}:${translated(key, value)}`);
  return Buffer.from(`{${members.join(",")}}\n`, "latin1");

  function translated(name: string, value: string): string {
    if (name === "tool_input") return canonicalInput(value, tool.facts?.input);
    return name === "tool_name" && tool.renamed ? bytesOf(JSON.stringify(tool.canonical)) : value;
  }
}

export interface NativeTool {
  readonly native: string;
  readonly canonical: string;
  readonly renamed: boolean;
  readonly facts: Tool | undefined;
}

/** What the harness calls the tool, and what we call it. `text` is its payload, as bytes. */
export function nativeTool(adapter: Adapter, text: string): NativeTool {
  const { wire, tools } = adapter;
  const textAt = (found: Slice | undefined): string => (found ? stringOf(found.value) : "");
  const native = textAt(nativeSlice(wire, "tool_name", text));
  const facts = Object.hasOwn(tools, native) ? tools[native] : undefined;
  const server = wire?.mcp ? textAt(sliceAt(text, wire.mcp.server)) : "";
  const tool = wire?.mcp ? textAt(sliceAt(text, wire.mcp.tool)) : "";
  const isCalled = native !== "" && server !== "" && tool !== "";
  const called = isCalled ? `mcp__${server}__${tool}` : undefined;
  const canonical = facts?.names[0] ?? called ?? native;
  return { native, canonical, renamed: canonical !== native, facts };
}

export interface Slice {
  readonly path: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Where a canonical member comes from, or undefined when it is not there. */
export function nativeSlice(wire: Wire | undefined, name: string, text: string): Slice | undefined {
  const paths = wire && Object.hasOwn(wire.fields, name) ? wire.fields[name]! : [name];
  for (const written of paths) {
    const [path = "", other] = written.split("?");
    const found = sliceAt(text, path);
    if (found && (other === undefined || sliceAt(text, other))) return found;
  }
  return undefined;
}

/** The value at a dotted path, unless it is null. */
export function sliceAt(text: string, path: string): Slice | undefined {
  let [start, end] = [skipSpace(text, 0), text.length];
  for (const key of path.split(".")) {
    const holder = text.slice(start, end);
    const found =
      holder[0] === "{"
        ? membersOf(holder).find((member) => member.key === key)
        : holder[0] === "[" && /^(0|[1-9]\d*)$/.test(key)
          ? elementsOf(holder)[Number(key)]
          : undefined;
    if (!found || found.value === "null") return undefined;
    [start, end] = [start + found.start, start + found.end];
  }
  return { path, value: text.slice(start, end), start, end };
}

export function isObjectText(payload: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(payload.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
