import { type Adapter, nativeEvents } from "../adapters/_contract.ts";
import { SCOPES } from "../adapters/_settings.ts";
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
    `Events: ${[...nativeEvents(adapter).keys()].map(code).join(", ")}.`,
    ...(observes.length > 0
      ? [
          `Only when one of your hooks names it at the time of install: ${observes.map(code).join(", ")}.`,
        ]
      : []),
  ];
  return `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

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
