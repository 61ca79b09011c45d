import { encodeReply } from "../adapters/_reply.ts";
import {
  nativeEvents,
  type Adapter,
  type Call,
  type Scope,
  type Surface,
} from "../adapters/_contract.ts";
import { noticeOnly } from "../adapters/_claude-wire.ts";
import type { EventName } from "../events.ts";
import type { Decision } from "../model.ts";

/** Everything that a harness has to call, per native event, in the commands of one scope. */
export function callsOf(
  adapter: Adapter,
  scope: Scope,
  shim: string,
  observed: readonly string[] = [],
): Call[] {
  return surfacesOf(adapter, observed).flatMap(([event, surface]) =>
    [surface.native, ...(surface.also ?? [])].map((native) => {
      const lost = event === announcer(adapter) ? lostNotice(surface) : undefined;
      const words = [adapter.id, event] as const;
      const form = scope === "user" ? onThisMachine(shim, words, lost) : portable(words, lost);
      return { harness: adapter.id, event, native, timeout: surface.timeout, ...form };
    }),
  );
}

function surfacesOf(adapter: Adapter, observed: readonly string[]): [string, Surface][] {
  const native = adapter.observes.filter((name) => observed.includes(name));
  // What another surface turns into has no registration of its own: it would be called twice.
  const registered = new Set(nativeEvents(adapter).values());
  return [
    ...Object.entries(adapter.surfaces).filter(([event]) => registered.has(event as EventName)),
    ...native.map((name): [string, Surface] => [name, observedSurface(name)]),
  ];
}

const observedSurface = (native: string): Surface => ({
  native,
  timeout: 600_000,
  replies: { pass: noticeOnly },
});

/** What is wrong with us is said where it is said once: when a session starts, if we are told. */
export function announcer({ surfaces }: Adapter): string {
  const best = ["SessionStart", "UserPromptSubmit", "Stop"].find((event) => event in surfaces);
  return best ?? Object.keys(surfaces)[0] ?? "";
}

export const LOST =
  "anyhook is connected here, but it is not on this machine any more: no hook runs. Install it again, or remove its entries from the settings.";

interface Lost {
  readonly text: string;
  /** Standard output, in the harness's own words; else standard error. */
  readonly to: 1 | 2;
}

/** In the harness's own dialect where it shows a notice to the person. */
export function lostNotice({ replies }: Surface): Lost {
  const said = replies.pass ? encodeReply(replies.pass, NOTICE, "").stdout.trimEnd() : "";
  return said === "" ? { text: `anyhook: ${LOST}`, to: 2 } : { text: said, to: 1 };
}

const NOTICE: Decision = {
  ...{ verdict: "pass", reason: "", context: "", input: "", notice: LOST },
  ...{ clampedFrom: "", unenforced: "" },
};

type Form = Pick<Call, "command" | "argv">;
type Words = readonly [harness: string, event: string];

/**
 * Settings of one person on one machine: the absolute path of the shim. The test keeps a shim that
 * is gone from being an error, which in some harnesses denies every tool.
 */
function onThisMachine(shim: string, words: Words, lost: Lost | undefined): Form {
  const call = `${quote(shim)} ${words.join(" ")}`;
  const say = lost ? `printf '%s\\n' ${quote(lost.text)}${lost.to === 2 ? " >&2" : ""}; ` : "";
  return {
    command: `[ -x ${quote(shim)} ] && exec ${call}; ${say}exit 0`,
    argv: [shim, ...words],
  };
}

/**
 * Settings that travel with a repository: no path of any machine. Where the user's own settings
 * call us already, these stay out of the way. No single quote, so that it can stand between two.
 */
export const PORTABLE = [
  's="${ANYHOOK_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/anyhook}"',
  '[ -f "$s/installed/$1" ] && exit 0',
  '[ -x "$s/bin/dispatch" ] && exec "$s/bin/dispatch" "$1" "$2"',
  'd=$(anyhook path dispatch 2>/dev/null) && [ -r "$d" ] && exec /bin/sh "$d" "$1" "$2"',
  '[ -z "$3" ] || printf "%s\\n" "$3" >&"${4:-1}"',
  "exit 0",
].join("; ");

const ABSENT =
  "This project has hooks, and anyhook, which runs them, is not on this machine: none of them runs.";

function portable(words: Words, lost: Lost | undefined): Form {
  const text = lost?.text.replace(LOST, ABSENT);
  const more = lost && text ? [text, ...(lost.to === 2 ? ["2"] : [])] : [];
  const argv = ["sh", "-c", PORTABLE, "anyhook", ...words, ...more];
  return { command: argv.map(plainOrQuoted).join(" "), argv };
}

const plainOrQuoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : quote(word));

/** One word for sh, bash, zsh and fish. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
