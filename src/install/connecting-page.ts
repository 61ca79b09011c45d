import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import { type Scope, SCOPES } from "../adapters/_settings.ts";
import { code, table, WRITTEN } from "./_markdown.ts";

/** docs/connecting.md, from the adapters: what install writes, and where. */
export const connectingPage = (adapters: readonly Adapter[]): string => `${WRITTEN}

# Where each harness is connected

\`anyhook install\` writes the entries; how, and how they go again, is in [installing.md](installing.md).
This page says where they are, per harness and scope, and what is left for you to do.

${table(
  ["harness", ...SCOPES.map((scope) => `scope ${code(scope)}`)],
  adapters.map(({ title, settings }) => [
    title,
    ...SCOPES.map((scope) => (settings.files[scope] ? code(settings.files[scope]) : "–")),
  ]),
)}

${adapters.map(section).join("\n\n")}

## Is it connected?

Start the harness, let it run a command, then:

\`\`\`sh
anyhook log        # one line per event that reached the dispatcher
anyhook status     # what runs, what fails, what never fired
\`\`\`
`;

function section(adapter: Adapter): string {
  const { title, settings, observes } = adapter;
  const lines = [
    `Format: ${FORMATS[settings.format]}. An edit is seen by ${SEEN[settings.reload]}.`,
    ...(settings.trust === "" ? [] : [`Left to you: ${settings.trust}.`]),
    ...(settings.off ?? []).map(
      ({ at, is, file }) =>
        `Switched off altogether by ${code(`${at.join(".")} = ${JSON.stringify(is)}`)} in ${code(file)}; install says so and leaves it.`,
    ),
    ...importLines(adapter),
    `Events: ${[...nativeEvents(adapter).keys()].map(code).join(", ")}.`,
    ...(observes.length > 0
      ? [
          `Only when one of your hooks names it at the time of install: ${observes.map(code).join(", ")}.`,
        ]
      : []),
  ];
  return `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

/** What `anyhook import` does with hooks that are there already. */
function importLines({ wire, surfaces, settings }: Adapter): string[] {
  const { natives, fixed } = settings;
  if (fixed) return [`Not imported: ${filesIn(fixed.files)}; ${fixed.why}.`];
  if (!natives) return wire ? [] : ["Hooks in these files can be imported."];
  const stays = Object.entries(natives.stays ?? {});
  const more = filesIn(natives.files);
  const from = natives.form ? more : `these files${more === "" ? "" : ` and in ${more}`}`;
  const whys = [...new Set(stays.map(([, why]) => why))].map((why) => {
    const events = stays.filter(([, one]) => one === why).map(([event]) => code(event));
    return `${events.join(", ")} (${why})`;
  });
  return [
    ...(Object.keys(surfaces).every((event) => event in (natives.stays ?? {}))
      ? []
      : [`Hooks in ${from} can be imported.`]),
    ...(whys.length === 0 ? [] : [`Not imported: hooks at ${whys.join("; ")}.`]),
  ];
}

const filesIn = (files: Readonly<Partial<Record<Scope, readonly string[]>>> = {}): string =>
  SCOPES.flatMap((scope) => files[scope] ?? [])
    .map(code)
    .join(", ");

const SEEN = {
  live: "sessions that are running",
  "next session": "sessions that start after it",
} as const satisfies Record<Adapter["settings"]["reload"], string>;

const FORMATS = {
  json: "JSON",
  jsonc: "JSON, comments allowed",
  toml: "TOML",
  module: "a module of our own",
  scripts: "scripts of our own",
} as const satisfies Record<Adapter["settings"]["format"], string>;
