import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../model.ts";
import { quietly } from "./discover.ts";
import type { Draft, Place } from "./draft.ts";
import { type Report, reportOn } from "./fields.ts";
import { headOf } from "./header.ts";
import type { ModuleInfo } from "./inspect-module.ts";
import { needs, shebang, syntaxError } from "./needs.ts";
import { REMOTE, unfit } from "./remote.ts";

export interface Health {
  /** Why it cannot run; empty when it can. */
  readonly broken: string;
  readonly needs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

type Surroundings = Pick<Place, "projectRoot" | "modules">;

/** Whether what a hook runs is there and can be started (R4), as far as files tell. */
export async function health(
  draft: Draft,
  { projectRoot, modules }: Surroundings,
): Promise<Health> {
  const report = reportOn(draft.file, draft.name);
  const { kind, run, extra } = draft;
  const info = extra["bundle"] === true ? modules.get(String(extra["file"])) : undefined;
  if (info) return bundleHealth(info, draft);
  if (REMOTE.includes(kind)) {
    const broken = unfit(draft);
    if (broken !== "")
      report.say("error", draft.line, "bad-provider", broken, "name another provider");
    return { broken, needs: [], diagnostics: report.diagnostics };
  }
  const wanted = needs(kind, run);
  const broken = kind === "script" ? await scriptHealth(draft, report) : draft.broken;
  if (kind === "shell" || kind === "exec") reportMissing(wanted, draft, projectRoot, report);
  return { broken, needs: wanted, diagnostics: report.diagnostics };
}

/** A script that our own Node runs: what is wrong with it shows when it is bundled. */
function bundleHealth(info: ModuleInfo, { name }: Draft): Health {
  const diagnostics = info.diagnostics.map((one) => ({ ...one, hook: name }));
  const broken = info.bundle ? "" : (diagnostics[0]?.message ?? "cannot be bundled");
  return { broken, needs: [], diagnostics };
}

async function scriptHealth(draft: Draft, report: Report): Promise<string> {
  const found = findings(draft.run);
  if (found) {
    const { code, message, hint } = found;
    report.say("error", draft.line, code, `${draft.run}: ${message}`, hint);
    return message;
  }
  const wrong = await syntaxError(draft.run, shebang(headOf(draft.run)));
  if (wrong === "") return "";
  const at = reportOn(draft.run, draft.name);
  at.say(
    "error",
    Number(/^line (\d+)/.exec(wrong)?.[1] ?? 0),
    "syntax-error",
    wrong,
    "correct the script",
  );
  report.diagnostics.push(...at.diagnostics);
  return `syntax error, ${wrong}`;
}

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

function findings(file: string): Finding | undefined {
  const stat = quietly(() => statSync(file));
  if (!stat?.isFile()) {
    return {
      code: "missing-file",
      message: "there is no such file",
      hint: "correct the path, or add the file",
    };
  }
  if ((stat.mode & 0o111) === 0) {
    return { code: "not-executable", message: "not executable", hint: `chmod +x ${quoted(file)}` };
  }
  if (quietly(() => accessSync(file, constants.R_OK) ?? true) === undefined) {
    return { code: "unreadable", message: "cannot be read", hint: "check the file's permissions" };
  }
  const head = headOf(file);
  const { interpreter, carriageReturn } = shebang(head);
  if (carriageReturn) {
    const message = "the first line ends in a carriage return, so its interpreter is not found";
    return { code: "crlf-shebang", message, hint: `sed -i 's/\\r$//' ${quoted(file)}` };
  }
  // A program in machine code has no shebang and needs none.
  if (interpreter !== "" || head.includes("\0")) return undefined;
  const message = "its first line does not say who runs it";
  return { code: "no-shebang", message, hint: "start it with #!/bin/sh or #!/usr/bin/env …" };
}

const quoted = (file: string): string =>
  /^[\w./@:+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;

/** `python gone.py` exits 2; the dispatcher will not start it, and here is why. */
function reportMissing(
  wanted: readonly string[],
  draft: Draft,
  projectRoot: string,
  report: Report,
): void {
  for (const need of wanted.filter((one) => one.startsWith("{project}/"))) {
    const file = resolve(projectRoot, need.slice("{project}/".length));
    if (projectRoot === "" || existsSync(file)) continue;
    report.say(
      "warning",
      draft.line,
      "missing-file",
      `${file}: there is no such file`,
      "correct the command, or add the file",
    );
  }
}
