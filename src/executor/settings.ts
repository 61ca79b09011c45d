import { dirname, resolve } from "node:path";
import { reportOn } from "../compile/fields.ts";
import { fileText } from "../compile/file-text.ts";
import { located } from "../compile/located.ts";
import { readSettings } from "../compile/settings-keys.ts";
import { type Complain, duration, oneOf, text, type ValueType } from "../compile/values.ts";
import type { HookExecutorOptions } from "./options.ts";

/** Keys that only an executor knows. */
const OWN = {
  hooks_file: text,
  permission: oneOf(["before", "after"]),
  timeout: duration,
} satisfies Record<string, ValueType<unknown>>;

/** What a settings file says about an executor. Throws with file and line when it is wrong. */
export function settingsIn(file: string): HookExecutorOptions {
  const report = reportOn(file, "");
  const { root, problems } = located(file, textOf(file));
  for (const { line, code, message, hint } of problems)
    report.say("error", line, code, message, hint);
  const read = <T>(key: string, type: ValueType<T>): T | undefined => {
    const entry = root?.entries?.get(key);
    const complain: Complain = (code, message, hint, line = entry!.keyLine) =>
      report.say("error", line, code, `${key}: ${message}`, hint);
    return entry && type.read(entry.node, complain);
  };
  const hooksFile = read("hooks_file", OWN.hooks_file);
  const permission = read("permission", OWN.permission);
  const timeout = read("timeout", OWN.timeout);
  const shared = new Map([...(root?.entries ?? [])].filter(([key]) => !(key in OWN)));
  readSettings(shared, report);
  const own = root?.entries?.get("hooks");
  if (own)
    report.say(
      "error",
      own.keyLine,
      "hooks-elsewhere",
      "hooks: a program reads them from a file of their own",
      "move them to a hooks.yaml and add hooks_file: hooks.yaml, or use project",
    );
  else if (hooksFile === undefined)
    report.say(
      "error",
      root?.line ?? 1,
      "missing-hooks-file",
      "says no hooks_file",
      "add hooks_file: hooks.yaml",
    );
  const [first] = report.diagnostics;
  if (first || hooksFile === undefined)
    throw new Error(`${file}:${first?.line}: ${first?.message} (${first?.hint})`);
  return {
    hooksFile: resolve(dirname(file), hooksFile),
    ...(permission && { permission }),
    ...(timeout && { timeout }),
    settings: Object.fromEntries([...shared].map(([key, { node }]) => [key, node.value])),
  };
}

function textOf(file: string): string {
  try {
    return fileText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw new Error(`${file}: ${why}`, { cause: error });
  }
}
