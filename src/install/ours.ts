import type { Adapter } from "../adapters/_contract.ts";
import type { Call, Json, Scope } from "../adapters/_settings.ts";
import { SCOPES } from "../adapters/_settings.ts";
import type { Ours } from "./editor.ts";
import { shellWords } from "./shell-words.ts";
import { shimOf, type Site } from "./site.ts";
import { callsOf, quote } from "./stanza.ts";

/**
 * Which entries of a settings file are ours: those with a command that we would write, or, by the
 * record, have written, letter by letter, for this harness and this event. Never by a part of one.
 */
export function oursIn(adapter: Adapter, site: Site, recorded: readonly string[]): Ours {
  const { commands: read = () => [], at = () => [] } = adapter.settings;
  const known = new Set(recorded);
  return (place, entry) => {
    const commands = read(entry).map(({ command }) => command);
    const ours = commands.filter(
      (command) => known.has(command) || isGenerated(adapter, site, at, place, command),
    );
    return ours.length > 0 && ours.length === commands.length ? "all" : ours;
  };
}

type At = (native: string) => readonly string[];

/** Made again with the shim that the command names, it comes out the same. */
function isGenerated(
  adapter: Adapter,
  site: Site,
  at: At,
  place: readonly string[],
  command: string,
): boolean {
  const shims = [shimOf(site), ...shimsIn(command)];
  const fits = ({ native }: Call): boolean => at(native).join("\0") === place.join("\0");
  return shims.some((shim) =>
    everyCall(adapter, shim)
      .filter(fits)
      .some(
        (call) =>
          writtenFor(adapter, call).includes(command) ||
          pasted(site, adapter, call).includes(command),
      ),
  );
}

const everyCall = (adapter: Adapter, shim: string): Call[] =>
  SCOPES.flatMap((scope: Scope) => callsOf(adapter, scope, shim, adapter.observes));

/** The commands as the harness's own settings would show them. */
export function writtenFor({ settings }: Adapter, call: Call): string[] {
  const entry: Json = settings.entry?.(call) ?? null;
  return (settings.commands?.(entry) ?? []).map(({ command }) => command);
}

/** What our documentation told people to paste before there was an installer. */
const pasted = ({ package: folder }: Site, { id, aliases }: Adapter, call: Call): string[] =>
  [id, ...aliases].flatMap((name) =>
    [call.event, call.native].map(
      (event) => `${quote(`${folder}/shell/dispatch.sh`)} ${name} ${event}`,
    ),
  );

const shimsIn = (command: string): string[] => [
  ...new Set(shellWords(command).filter((word) => word.endsWith("/bin/dispatch"))),
];
