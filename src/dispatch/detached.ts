import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { HANDLERS } from "../handlers/index.ts";
import type { Dispatch } from "./dispatch.ts";
import { traceLines } from "./record.ts";
import { decodeRow } from "./rows.ts";
import { formsOf, workFor } from "./run.ts";

/**
 * One async hook that is no command, for shell/async.sh: what it said goes into the files in which
 * a command's output would be, by renaming, because this process's own output is open there.
 */
export async function runDetached(dispatch: Dispatch, job: string, run: string): Promise<void> {
  const hook = decodeRow(readFileSync(job, "utf8").split("\n")[1] ?? "");
  if (!hook) throw new Error("the job's hook cannot be read");
  const work = workFor(dispatch, hook, dispatch.event, formsOf(dispatch), hook.timeout);
  const ran = await HANDLERS[hook.kind](hook, work);
  replace(`${run}.out.2`, ran.stdout);
  replace(`${run}.err.2`, ran.stderr);
  if (ran.trace) replace(`${run}.trace`, JSON.stringify(traceLines(ran.trace)));
  const detail = ran.detail.replace(/[\t\n\r\0]+/g, " ");
  replace(`${run}.ran`, `2\t${ran.status}\t${ran.exit ?? ""}\t${ran.ms}\t${detail}\n`);
}

function replace(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
