import type { Diagnostic, Hook } from "../model.ts";
import type { HookSet, Made, Origin } from "./hook-set.ts";
import type { HookWarning } from "./options.ts";
import { ABSENT, lookAt, lookAtWhole, type Seen } from "./stamp.ts";

export interface Reload {
  /** The hooks in force now: one stat of the hooks file, and one of every file that they name. */
  current(): Promise<HookSet>;
  /** What is wrong with them. */
  readonly problems: readonly Diagnostic[];
}

const NOTHING: HookSet = {
  hooks: [],
  automata: new Map(),
  bundles: new Map(),
  settings: {} as HookSet["settings"],
};

/** A file that changed at most this long before it was compiled may have changed during it. */
const MEANWHILE = 20;
const PERHAPS = "?";

export function reloading(
  origin: Origin,
  warn: (warning: HookWarning) => void,
  changed: (set: HookSet) => void,
): Reload {
  let set = NOTHING;
  let main = ABSENT;
  let others = new Map<string, Seen>();
  let inputs: readonly string[] = [];
  let problems: readonly Diagnostic[] = [];
  let told = "";
  let loaded = false;
  // One after the other: each call sees what was written before it was made.
  let turn: Promise<unknown> = Promise.resolve();
  return {
    current() {
      const mine = turn.then(refresh);
      turn = mine.catch(() => {});
      return mine;
    },
    get problems() {
      return problems;
    },
  };

  async function refresh(): Promise<HookSet> {
    const next = origin.main === "" ? ABSENT : await lookAtWhole(origin.main, main);
    const gone = next === undefined || (origin.main !== "" && next === ABSENT);
    if (gone && !loaded) {
      problems = [missing(origin.main)];
      tell(`${origin.main}: there is no such file, so no hooks run until there is`, problems);
      return set;
    }
    const now = gone ? main : next;
    const files = [...new Set([...(await origin.files()), ...inputs])];
    const seen = await lookAtAll(files);
    const moved = [...seen.keys()].filter((file) => isOther(seen.get(file), others.get(file)));
    const anew = now.text !== main.text || now.problem !== main.problem;
    const same = loaded && !anew && moved.length === 0 && seen.size === others.size;
    if (anew || moved.some((file) => others.get(file)?.key !== PERHAPS)) told = "";
    [main, others] = [now, seen];
    if (!same) await compile(anew);
    return set;
  }

  async function lookAtAll(files: readonly string[]): Promise<Map<string, Seen>> {
    const looked = files.map(async (file) => [file, await lookAt(file, others.get(file))] as const);
    return new Map(await Promise.all(looked));
  }

  async function compile(anew: boolean): Promise<void> {
    const began = Date.now();
    const made = await origin.compile(main, set.hooks);
    problems = made.diagnostics;
    loaded = true;
    if (made.failed) return tell(textOf(made, set), made.diagnostics);
    const next = { ...made, ...withKept(made, set) };
    // Nothing but a doubt: what sessions have on record against these hooks stays.
    if (anew || !isSame(next, set)) set = next;
    inputs = made.kept.length > 0 ? [...new Set([...inputs, ...made.inputs])] : made.inputs;
    others = await lookAtAll([...new Set([...others.keys(), ...inputs])]);
    for (const [file, one] of others)
      if (Date.now() - one.age > began - MEANWHILE && one !== ABSENT)
        others.set(file, { ...one, key: PERHAPS, text: PERHAPS });
    changed(set);
    if (made.diagnostics.length > 0) tell(textOf(made, set), made.diagnostics);
    else told = "";
  }

  /** Once per change: the same remark about the same content is not repeated. */
  function tell(message: string, diagnostics: readonly Diagnostic[]): void {
    if (message === told) return;
    told = message;
    warn({ message, diagnostics });
  }
}

/** What the rows of hooks that go on as they were refer to. */
function withKept(made: Made, before: HookSet): Pick<HookSet, "automata" | "bundles"> {
  const used = (key: (hook: Hook) => readonly string[], of: ReadonlyMap<string, string>) =>
    made.hooks.flatMap(key).flatMap((id) => (of.has(id) ? [[id, of.get(id)!] as const] : []));
  const dfas = (hook: Hook): string[] =>
    hook.matcher.flatMap((condition) => (condition.op === "re" ? [condition.dfa] : []));
  return {
    automata: new Map([...used(dfas, before.automata), ...made.automata]),
    bundles: new Map([...used((hook) => [hook.script], before.bundles), ...made.bundles]),
  };
}

const isSame = (a: HookSet, b: HookSet): boolean => textIn(a) === textIn(b);

const textIn = ({ hooks, automata, bundles, settings }: HookSet): string =>
  JSON.stringify([hooks, [...automata], [...bundles], settings]);

const missing = (file: string): Diagnostic => ({
  file,
  line: 0,
  severity: "error",
  code: "missing-file",
  message: "there is no such file",
  hint: "correct the path, or add the file",
  hook: "",
});

/** Content, mode, and whether it is there at all. */
function isOther(a: Seen = ABSENT, b: Seen = ABSENT): boolean {
  const modeOf = ({ key }: Seen): string | undefined => key.split(":")[2];
  return a.text !== b.text || modeOf(a) !== modeOf(b);
}

function textOf({ diagnostics, failed, kept }: Made, before: HookSet): string {
  const lines = diagnostics.map(({ file, line, message, hint }) => {
    const tail = hint === "" ? "" : ` (${hint})`;
    return `${file}${line > 0 ? `:${line}` : ""}: ${message}${tail}`;
  });
  if (failed && before === NOTHING) lines.push("No hooks run until it is corrected.");
  else if (failed) lines.push("The hooks from before stay in force.");
  else if (kept.length > 0) lines.push(`As they were before: ${kept.join(", ")}.`);
  return lines.join("\n");
}
