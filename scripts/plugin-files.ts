import { readFileSync } from "node:fs";
import type { Adapter, Call } from "../src/adapters/_contract.ts";

/**
 * The package as a plugin in Claude's form, which other harnesses install unchanged: one manifest
 * with every event of every harness that can. shell/plugin.sh finds out which one is calling.
 */
export const pluginFiles = (
  adapters: readonly Adapter[],
): Readonly<Record<string, () => string>> => ({
  ".claude-plugin/plugin.json": () =>
    json({ name: NAME, version: about().version, ...described() }),
  ".claude-plugin/marketplace.json": () =>
    json({
      name: NAME,
      owner: { name: NAME },
      plugins: [{ name: NAME, source: "./", ...described() }],
    }),
  "hooks/hooks.json": () =>
    json({ ...described(), hooks: hooksOf(adapters.filter(({ settings }) => settings.plugin)) }),
});

const NAME = "anyhook";

const about = (): { version: string; description: string } =>
  JSON.parse(readFileSync("package.json", "utf8")) as { version: string; description: string };

const described = (): { description: string } => ({ description: about().description });

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The longest patience of all: each adapter's own deadline is below its own. */
function hooksOf(adapters: readonly Adapter[]): Record<string, unknown> {
  const calls = adapters.flatMap(({ id, surfaces }) =>
    Object.entries(surfaces).map(([event, { native, timeout }]) =>
      callOf(id, event, native, timeout),
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
