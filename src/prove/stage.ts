import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Fault } from "../fault.ts";
import { leaving } from "./leaving.ts";

/** Text by path; `home/…` and `project/…` stand for the stage's own folders. */
export type Files = Readonly<Record<string, string>>;

/** A throw-away home and project: all that a client gets to see of the machine. */
export interface Stage {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly tmp: string;
  write(files: Files): void;
  /** Removes everything; also happens by itself when the process ends. */
  clear(): void;
}

export function makeStage(): Stage {
  const base = room();
  const [home, project, tmp] = [join(base, "home"), join(base, "project"), join(base, "tmp")];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  const remove = (): void =>
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const stay = leaving(remove, `folder ${base}`);
  return {
    ...{ base, home, project, tmp },
    write(files) {
      for (const [path, text] of Object.entries(files)) writeAt(join(base, path), text);
    },
    clear() {
      remove();
      stay();
    },
  };
}

function room(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), "anyhook-prove-")));
  } catch (cause) {
    throw new Fault("no-stage", `no folder can be made in ${tmpdir()}: ${String(cause)}`, {
      ...{ cause, hint: "set TMPDIR to a folder that can be written" },
    });
  }
}

function writeAt(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith("#!")) chmodSync(file, 0o755);
}
