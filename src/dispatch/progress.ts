import { existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { leave } from "./guard.ts";
import { judgeRun } from "../handlers/_verdict.ts";
import type { Hook, Outcome } from "../model.ts";

/**
 * What the node lane notes as it goes, for the case that a module takes the process down: the
 * shell's watchdog reads which hook runs and for how long it may, and the process that follows
 * reads which hooks are done.
 */
export interface Progress {
  /** The outcome from before, if this hook was done or had to be ended. */
  done(hook: Hook, row: number): Outcome | undefined;
  starts(row: number, limit: number): void;
  ended(row: number, outcome: Outcome): void;
  /** The process is spoilt: the next one goes on with the hooks that are left. */
  abandon(): void;
}

export const NO_PROGRESS: Progress = {
  done: () => undefined,
  starts: () => {},
  ended: () => {},
  abandon: () => {},
};

const SPOILT = 79;

/** Our own timers get this much more than the watchdog's, which only ends what cannot end itself. */
const GRACE = 250;

/** The module is done, and what follows keeps its own time. */
const UNLIMITED = 999_999_999;

export function progressAt(run: string): Progress {
  const before = readOutcomes(`${run}.outcomes`);
  const shell = readShell(`${run}.shell`);
  const files: { cur?: number; outcomes?: number } = {};
  let running = 0;
  return {
    done(hook, row) {
      const kept = before.get(row);
      if (kept) return { ...kept, hook };
      const ran = shell.get(row);
      if (ran) return fromShell(hook, ran, run, row);
      const late = line(`${run}.late.${row}`);
      if (late !== undefined) return lost(hook, "timeout", `no answer within ${hook.timeout} ms`);
      const died = line(`${run}.died.${row}`);
      return died === undefined ? undefined : lost(hook, "failed", died);
    },
    starts(row, limit) {
      running = row;
      watched(row, limit + GRACE);
    },
    ended(row, { hook: _, ...outcome }) {
      append("outcomes", JSON.stringify([row, outcome]));
      if (row !== running) return;
      watched(row, UNLIMITED);
      // The watchdog has made up its mind: what we began now would be begun again by the next one.
      if (existsSync(`${run}.late.${row}`)) leave(SPOILT);
    },
    abandon: () => leave(SPOILT),
  };

  function watched(row: number, limit: number): void {
    append("cur", `${process.pid} ${row} ${limit} ${clock()}`);
  }

  function append(name: "cur" | "outcomes", text: string): void {
    files[name] ??= openSync(`${run}.${name}`, "a");
    writeSync(files[name], `${text}\n`);
  }
}

/** A run that was lost with its process: a failure like any other. */
function lost(hook: Hook, status: "timeout" | "failed", detail: string): Outcome {
  const nothing = Buffer.alloc(0);
  const run = { status, exit: null, detail, stdout: nothing, stderr: nothing, ms: hook.timeout };
  return { hook, ...judgeRun(hook, run), exit: null, stderr: "", stdout: "", ms: hook.timeout };
}

/** The clock of shell/dispatch.sh. */
export const clock = (): number =>
  existsSync("/proc/uptime") ? Math.floor(uptime() * 100) * 10 : Date.now();

function line(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n", 1)[0] : undefined;
}

function readOutcomes(file: string): Map<number, Omit<Outcome, "hook">> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "");
  return new Map(lines.map((text) => JSON.parse(text) as [number, Omit<Outcome, "hook">]));
}

/** What the shell lane had done before a rewrite chose a hook that is no command. */
interface ShellRun {
  readonly status: Outcome["status"];
  readonly exit: number | null;
  readonly ms: number;
  readonly detail: string;
}

function readShell(file: string): Map<number, ShellRun> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "");
  return new Map(
    lines.map((text) => {
      const [row, status, exit, ms, detail = ""] = text.split("\t");
      const run = { status: status as Outcome["status"], ms: Number(ms), detail };
      return [Number(row), { ...run, exit: exit === "" ? null : Number(exit) }];
    }),
  );
}

function fromShell(hook: Hook, ran: ShellRun, run: string, row: number): Outcome {
  const read = (name: string): Buffer =>
    existsSync(`${run}.${name}.${row}`) ? readFileSync(`${run}.${name}.${row}`) : Buffer.alloc(0);
  const [stdout, stderr] = [read("out"), read("err")];
  const judged = judgeRun(hook, { ...ran, stdout, stderr });
  return {
    hook,
    ...judged,
    exit: ran.exit,
    ms: ran.ms,
    stderr: stderr.subarray(0, 1_048_576).toString("utf8"),
    stdout: stdout.toString("latin1"),
  };
}
