import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import { type Json } from "../adapters/_settings.ts";
import { editorOf } from "./editors.ts";

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

/** Every command in one settings file of a harness. Throws a Refusal where it cannot be read. */
export function nativeHooks(adapter: Adapter, file: string, text: string): NativeHook[] {
  const { at, commands, eventOf, natives } = adapter.settings;
  if (!at || !commands) return [];
  const editor = editorOf(adapter, file);
  const off = (natives?.disabled ?? []).flatMap((list) => editor.entries(text, list));
  return eventsOf(adapter).flatMap(({ native, event }) => {
    const list = at(native);
    return editor.entries(text, list).flatMap((value, entry) => {
      // One list for all events: the entry itself says which one it means.
      if (eventOf && eventOf(value) !== native) return [];
      return commands(value).map(({ command, matcher, timeout, rest }, index) => ({
        ...{ harness: adapter.id, file, event, native, list, entry, index, value },
        ...{ command, matcher, timeout },
        rest: off.some((one) => one === (rest["name"] ?? command))
          ? { ...rest, disabled: true }
          : rest,
      }));
    });
  });
}

/** Every native name that the adapter knows, with the event that it means here. */
const eventsOf = (adapter: Adapter): { native: string; event: string }[] => [
  ...[...nativeEvents(adapter)].map(([native, event]) => ({ native, event })),
  ...adapter.observes.map((native) => ({ native, event: native })),
];
