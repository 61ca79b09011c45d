import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import { type Call } from "../adapters/_settings.ts";

/**
 * The package as a plugin in Claude's form, which other harnesses install unchanged: one manifest
 * with every event of every harness that can. shell/plugin.sh finds out which one is calling.
 */
export const pluginFiles = (
  adapters: readonly Adapter[],
  about: About,
): Readonly<Record<string, () => string>> => ({
  ".claude-plugin/plugin.json": () =>
    json({ name: NAME, version: about.version, ...described(about) }),
  ".claude-plugin/marketplace.json": () =>
    json({
      name: NAME,
      owner: { name: NAME },
      plugins: [{ name: NAME, source: "./", ...described(about) }],
    }),
  "hooks/hooks.json": () =>
    json({
      ...described(about),
      hooks: hooksOf(adapters.filter(({ settings }) => settings.plugin)),
    }),
});

const NAME = "anyhook";

/** Of package.json. */
export interface About {
  readonly version: string;
  readonly description: string;
}

export const aboutPackage = (root: string): About =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as About;

const described = ({ description }: About): { description: string } => ({ description });

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The longest patience of all: each adapter's own deadline is below its own. */
function hooksOf(adapters: readonly Adapter[]): Record<string, unknown> {
  const calls = adapters.flatMap((adapter) =>
    [...nativeEvents(adapter)].map(([native, event]) =>
      callOf(adapter.id, event, native, adapter.surfaces[event]!.timeout),
    ),
  );
  const natives = [...new Set(calls.map(({ native }) => native))];
  const longest = natives.map((native) => {
    const same = calls.filter((call) => call.native === native);
    return same.toSorted((a, b) => b.timeout - a.timeout)[0]!;
  });
  const entry = ({ harness }: Call) => adapters.find(({ id }) => id === harness)!.settings.entry!;
  return Object.fromEntries(longest.map((call) => [call.native, [entry(call)(call)]]));
}

const SCRIPT = '"${CLAUDE_PLUGIN_ROOT}/shell/plugin.sh"';

const callOf = (harness: string, event: string, native: string, timeout: number): Call => ({
  ...{ harness, event, native, timeout, argv: [] },
  command: `[ -r ${SCRIPT} ] && exec sh ${SCRIPT} ${event}; exit 0`,
});
