import type { Adapter } from "../adapters/_contract.ts";
import type { Installation } from "../compile/materialize.ts";
import type { NativeHook } from "./clients/_driver.ts";
import { connected } from "./connected.ts";
import { ran, type Ran } from "./ran.ts";
import type { Client } from "./session.ts";
import { makeStage } from "./stage.ts";

/** One thing to look at twice: the same commands registered with the client itself, and with us. */
interface Duel {
  readonly what: string;
  readonly event: "UserPromptSubmit" | "PreToolUse";
  /** Lines of sh, in order; what they print is in the form that the client's family reads. */
  readonly commands: readonly string[];
  /** What stands in the client's own settings as a matcher; for us, the tool it is meant for. */
  readonly matcher?: string;
  readonly times?: number;
  readonly holds: (ran: Ran) => boolean;
}

export interface DuelRow {
  readonly what: string;
  /** How often it held, of how many times. */
  readonly native: string;
  readonly ours: string;
}

const LEFT = "proof.txt";
const specific = (event: string, members: object): string =>
  `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...members } })}'`;
const context = (text: string): string => specific("UserPromptSubmit", { additionalContext: text });
const rewriting = (words: string): string =>
  specific("PreToolUse", {
    permissionDecision: "allow",
    updatedInput: { command: `echo ${words} >${LEFT}` },
  });
/** Up to 0.4 s, another time each time: process numbers are as good as dice. */
const SOMETIME = `sleep "0.$(($$ % 5))"; `;

const told = ({ sessions }: Ran, test: (all: string) => boolean): boolean =>
  sessions.some(({ requests }) => requests.some(({ all }) => test(all)));

const DUELS: readonly Duel[] = [
  {
    what: "what two hooks say comes in the order in which they are written",
    event: "UserPromptSubmit",
    commands: [`sleep 0.4; ${context("First: amber.")}`, context("Second: birch.")],
    holds: (one) =>
      told(
        one,
        (all) =>
          all.includes("First: amber.") &&
          all.indexOf("First: amber.") < all.indexOf("Second: birch."),
      ),
  },
  {
    what: "two rewrites of one command both count",
    event: "PreToolUse",
    times: 5,
    commands: [
      SOMETIME + rewriting("one"),
      `${SOMETIME}if grep -q 'echo one >'; then ${rewriting("one two")}; else ${rewriting("two")}; fi`,
    ],
    holds: ({ files }) => files[LEFT] === "one two\n",
  },
  {
    what: "a deny with exit 2 and no words is a deny",
    event: "PreToolUse",
    commands: ["exit 2"],
    holds: ({ files }) => files[LEFT] === undefined,
  },
  {
    what: "a deny counts although another hook crashes",
    event: "PreToolUse",
    commands: ["echo 'not today' >&2; exit 2", "kill -9 $$"],
    holds: ({ files }) => files[LEFT] === undefined,
  },
  {
    what: "a matcher in another spelling is not dead",
    event: "PreToolUse",
    matcher: "bash|run_shell_command|shell",
    commands: ["echo 'not today' >&2; exit 2"],
    holds: ({ files }) => files[LEFT] === undefined,
  },
];

/** The same commands, side by side. undefined: the client runs no commands as hooks. */
export async function duels(
  client: Client,
  adapter: Adapter,
  installation: Installation,
  progress: (what: string) => void,
): Promise<readonly DuelRow[] | undefined> {
  if (adapter.settings.format === "module") return undefined;
  const rows: DuelRow[] = [];
  for (const duel of DUELS) {
    const [native, ours] = [[] as boolean[], [] as boolean[]];
    for (let n = 0; n < (duel.times ?? 1); n++) {
      progress(`side by side, ${duel.what}`);
      native.push(duel.holds(await playDuel(client, { hooks: registered(duel, adapter) })));
      ours.push(duel.holds(await playDuel(client, { duel, adapter, installation })));
    }
    rows.push({ what: duel.what, native: counted(native), ours: counted(ours) });
  }
  return rows;
}

const counted = (held: readonly boolean[]): string =>
  held.length === 1 ? (held[0] ? "yes" : "no") : `${held.filter(Boolean).length} of ${held.length}`;

const registered = ({ event, commands, matcher }: Duel, { surfaces }: Adapter): NativeHook[] =>
  commands.map((command) => ({
    event: surfaces[event]?.native ?? event,
    command: `sh -c '${command.replaceAll("'", `'\\''`)}'`,
    ...(matcher === undefined ? {} : { matcher }),
  }));

type Way =
  | { readonly hooks: readonly NativeHook[] }
  | { readonly duel: Duel; readonly adapter: Adapter; readonly installation: Installation };

const playDuel = (client: Client, way: Way): Promise<Ran> =>
  ran(client, {
    files: [LEFT],
    stage() {
      const stage = makeStage();
      if ("duel" in way) stage.write({ "project/.anyhook/hooks.json": hooksOf(way.duel) });
      return stage;
    },
    play: (stage) => ({
      turns: [{ shell: `echo zero >${LEFT}` }, { text: "Done." }],
      ...("hooks" in way
        ? { hooks: way.hooks }
        : { ready: () => connected(way.adapter, stage, way.installation) }),
    }),
  });

const hooksOf = ({ event, commands, matcher }: Duel): string =>
  JSON.stringify({
    hooks: commands.map((command, order) => ({
      ...{ name: `duel-${order}`, events: [event], order, block: true, command },
      ...(matcher === undefined ? {} : { matcher: { tool_name: "Bash" } }),
    })),
  });
