import type { Json, NativeCommand } from "./_settings.ts";
import { membersOf } from "./_claude-settings.ts";

/** `{"command","matcher","timeout"}` straight in the list of an event, without a group around it. */

/** The commands of such an entry; `unit`: milliseconds in one unit of its `timeout`. */
export const flatCommands =
  (unit: 1 | 1000) =>
  (entry: Json): readonly NativeCommand[] => {
    const { command, matcher, timeout, ...rest } = membersOf(entry);
    if (typeof command !== "string") return [];
    return [
      {
        command,
        matcher: typeof matcher === "string" ? matcher : "",
        ...(typeof timeout === "number" ? { timeout: timeout * unit } : {}),
        rest,
      },
    ];
  };

/** One simple command for a shell: nothing in it ends it, so what is appended belongs to it. */
export const plainCommand = (argv: readonly string[]): string =>
  argv
    .map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
