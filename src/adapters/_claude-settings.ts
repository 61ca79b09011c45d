import type { Call, Json, NativeCommand } from "./_settings.ts";

/** `{"hooks":{EVENT:[{"matcher","hooks":[{"type":"command","command","timeout"}]}]}}`. */

export const hooksAt = (native: string): readonly string[] => ["hooks", native];

/** `unit`: milliseconds in one unit of its `timeout`. Whole numbers: Codex drops a file for less. */
export const nestedEntry =
  (unit: 1 | 1000) =>
  ({ command, timeout }: Call): Json => ({
    hooks: [{ type: "command", command, timeout: Math.ceil(timeout / unit) }],
  });

export const nestedCommands =
  (unit: 1 | 1000) =>
  (entry: Json): readonly NativeCommand[] => {
    const { matcher, hooks } = membersOf(entry);
    if (!Array.isArray(hooks)) return [];
    return (hooks as readonly Json[]).map((hook) => {
      const { command, timeout, ...rest } = membersOf(hook);
      return {
        command: typeof command === "string" ? command : "",
        matcher: typeof matcher === "string" ? matcher : "",
        ...(typeof timeout === "number" ? { timeout: timeout * unit } : {}),
        rest,
      };
    });
  };

export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const membersOf = (value: Json | undefined): Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : {};
