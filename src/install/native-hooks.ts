import { type Node, parseTree, type ParseError, printParseErrorCode } from "jsonc-parser";
import type { Adapter, Json } from "../adapters/_contract.ts";

/** One command that a person registered in the harness's own settings. */
export interface NativeHook {
  readonly harness: string;
  readonly file: string;
  /** Canonical where the adapter knows the event, else as it stands. */
  readonly event: string;
  readonly native: string;
  /** Keys and indexes down to the list, and its place there: entry, and command within the entry. */
  readonly list: readonly string[];
  readonly entry: number;
  readonly index: number;
  /** The whole entry, so that it can be given back. */
  readonly value: Json;
  readonly command: string;
  readonly matcher: string;
  /** Milliseconds; undefined when the file does not say. */
  readonly timeout: number | undefined;
  readonly rest: { readonly [key: string]: Json };
}

export interface NativeReading {
  readonly hooks: readonly NativeHook[];
  /** Why nothing could be read, with line and column; empty when the file is fine. */
  readonly problem: string;
}

/** Every command in one settings file of a harness, as the adapter understands its entries. */
export function nativeHooks(adapter: Adapter, file: string, text: string): NativeReading {
  const { at, commands, format } = adapter.settings;
  if (!at || !commands || (format !== "json" && format !== "jsonc"))
    return { hooks: [], problem: "" };
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) return { hooks: [], problem: problemAt(text, error) };
  const hooks = nativeEvents(adapter).flatMap(({ native, event }) => {
    const list = at(native);
    const entries = arrayAt(root, list);
    return entries.flatMap((value, entry) =>
      commands(value).map(({ command, matcher, timeout, rest }, index) => ({
        ...{ harness: adapter.id, file, event, native, list, entry, index, value },
        ...{ command, matcher, timeout, rest },
      })),
    );
  });
  return { hooks, problem: "" };
}

function problemAt(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${printParseErrorCode(error)}`;
}

/** Every native name that the adapter knows, with the event that it means here. */
function nativeEvents({ surfaces, observes }: Adapter): { native: string; event: string }[] {
  const known = Object.entries(surfaces).flatMap(([event, surface]) =>
    [surface.native, ...(surface.also ?? [])].map((native) => ({ native, event })),
  );
  return [...known, ...observes.map((native) => ({ native, event: native }))];
}

function arrayAt(root: Node | undefined, path: readonly string[]): readonly Json[] {
  let node = root;
  for (const key of path)
    node = node?.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
  return node?.type === "array" ? (node.children ?? []).map(valueOf) : [];
}

function valueOf(node: Node): Json {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value as Json;
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [
      String(children[0]?.value),
      children[1] ? valueOf(children[1]) : null,
    ]),
  );
}
