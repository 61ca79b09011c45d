import { adapterOf } from "../adapters/_all.ts";
import type { Adapter, ReplyTemplate, Surface, Tool } from "../adapters/_contract.ts";
import { type EventName, factsOf } from "../events.ts";
import type { HookExecutorOptions, ToolFacts } from "./options.ts";

/** The name of a program that gives itself none. */
const NAMELESS = "library";

/** What every program's tools of these names are taken for. */
const TOOLS: Readonly<Record<string, Tool>> = {
  Read: { names: ["Read"], paths: ["file_path", "path"] },
  Write: { names: ["Write"], paths: ["file_path", "path"] },
  Edit: { names: ["Edit"], paths: ["file_path", "path"] },
  Glob: { names: ["Glob"], paths: ["path"] },
  Grep: { names: ["Grep"], paths: ["path"] },
};

/** Nobody installs a program or looks for it: what an adapter says about that is empty. */
const UNKNOWN = {
  aliases: [],
  title: "a program with the library in it",
  evidence: "source",
  source: { url: "", version: "" },
  projectDir: [],
  surfaces: {},
  observes: [],
  presence: { programs: [], version: [], traces: [], inside: [], since: "" },
  settings: { files: {}, format: "json", trust: "", reload: "live" },
  fails: { missing: "allow", crash: "allow", late: "allow" },
} as const satisfies Partial<Adapter>;

/** The program as the engine sees it; a known harness lends the names of its tools. */
export function describeProgram({ harness = NAMELESS, tools = {} }: HookExecutorOptions): Adapter {
  const known = adapterOf(harness);
  const own = Object.entries(tools).map(([name, facts]) => [name, toolOf(facts)] as const);
  return {
    ...UNKNOWN,
    id: known?.id ?? harness,
    tools: { ...(known?.tools ?? TOOLS), ...Object.fromEntries(own) },
  };
}

function toolOf(facts: string | ToolFacts): Tool {
  const { name, paths } = typeof facts === "string" ? { name: facts, paths: undefined } : facts;
  return { names: [name], paths: paths ?? TOOLS[name]?.paths ?? [] };
}

/** A verdict needs no words in a program: what the table of events allows can be said. */
export function surfaceAt(event: EventName, budget: number): Surface {
  const { block, context, rewrite } = factsOf(event);
  const said: ReplyTemplate = { exit: 0, out: context ? "{$C$N}" : "{$N}", err: "" };
  return {
    native: event,
    timeout: budget,
    replies: {
      pass: said,
      ...(block ? { deny: said, halt: said } : {}),
      ...(rewrite ? { rewrite: said } : {}),
      ...(block && rewrite ? { allow: said, ask: said } : {}),
    },
  };
}
