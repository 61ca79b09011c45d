import { encodeReply } from "../adapters/_reply.ts";
import { type Adapter, nativeEvents, type Surface } from "../adapters/_contract.ts";
import { type Call, type Scope } from "../adapters/_settings.ts";
import { noticeOnly } from "../adapters/_claude-wire.ts";
import type { Decision } from "../model.ts";

/** Everything that a harness has to call, per native event, in the commands of one scope. */
export function callsOf(
  adapter: Adapter,
  scope: Scope,
  shim: string,
  observed: readonly string[] = [],
): Call[] {
  return surfacesOf(adapter, observed).map(([native, event, surface]) => {
    const lost = event === announcer(adapter) ? lostNotice(surface) : undefined;
    const words = [adapter.id, event] as const;
    const form = scope === "user" ? onThisMachine(shim, words, lost) : portable(words, lost);
    return { harness: adapter.id, event, native, timeout: surface.timeout, ...form };
  });
}

type Registered = readonly [native: string, event: string, surface: Surface];

function surfacesOf(adapter: Adapter, observed: readonly string[]): Registered[] {
  const canonical = [...nativeEvents(adapter)].map(([native, event]): Registered => [
    native,
    event,
    adapter.surfaces[event]!,
  ]);
  const others = adapter.observes.filter((name) => observed.includes(name));
  return [...canonical, ...others.map((name): Registered => [name, name, observedSurface(name)])];
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
    argv: ["sh", "-c", GUARD, shim, ...words, ...(lost ? said(lost, lost.text) : [])],
  };
}

/** A third word is a notice, a fourth the stream that it goes to. */
const SAY = '[ -z "$3" ] || printf "%s\\n" "$3" >&"${4:-1}"; exit 0';

const said = ({ to }: Lost, text: string): string[] => [text, ...(to === 2 ? ["2"] : [])];

/** The same as one plain program, for harnesses that hand the payload to the last of several. */
const GUARD = `[ -x "$0" ] && exec "$0" "$1" "$2"; ${SAY}`;

/**
 * Settings that travel with a repository: no path of any machine. They stand aside where the user's
 * own settings call us already. No single quote, so that it can stand between two.
 */
export const PORTABLE = [
  's="${ANYHOOK_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/anyhook}"',
  '[ -x "$s/bin/dispatch" ] && exec "$s/bin/dispatch" "$1" "$2" aside',
  'd=$(anyhook path dispatch 2>/dev/null) && [ -r "$d" ] && exec /bin/sh "$d" "$1" "$2" aside',
  SAY,
].join("; ");

const ABSENT =
  "This project has hooks, and anyhook, which runs them, is not on this machine: none of them runs.";

function portable(words: Words, lost: Lost | undefined): Form {
  const more = lost ? said(lost, lost.text.replace(LOST, ABSENT)) : [];
  const argv = ["sh", "-c", PORTABLE, "anyhook", ...words, ...more];
  return { command: argv.map(plainOrQuoted).join(" "), argv };
}

const plainOrQuoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : quote(word));

/** One word for sh, bash, zsh and fish. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
