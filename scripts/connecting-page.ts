import type { Adapter } from "../src/adapters/_contract.ts";
import { WRITTEN } from "../src/install/_markdown.ts";

/** What is known about a harness's own settings until there is an installer that edits them. */
const PLACES: Readonly<Record<string, { file: string; note: string }>> = {
  "claude-code": {
    file: "~/.claude/settings.json",
    note: "Claude Code reads the file again while it runs: the next event goes through anyhook.",
  },
  codex: {
    file: "~/.codex/hooks.json",
    note: `Codex runs a hook only after you have trusted it. Start \`codex\`, enter \`/hooks\` and trust the
entries; an entry that is not trusted is skipped by \`codex exec\` **without any message**. It asks
again when the command changes, but not when your hooks change: the command stays the same. Codex
reads the file when a session starts. \`timeout\` is not set because the dispatcher relies on the
default of each event.`,
  },
};

/** docs/connecting.md, from the adapters' surfaces. */
export const connectingPage = (adapters: readonly Adapter[]): string => `${WRITTEN}

# Connecting a harness by hand

There is no installer yet, so one block has to be pasted into each harness's own settings, once.
Replace \`/path/to/dispatch.sh\` everywhere by what this prints (the quotes around it stay):

\`\`\`sh
anyhook path dispatch
\`\`\`

If the file already has a \`hooks\` member, add these entries to it and keep yours. Events for which
you will never have a hook can be left out. To disconnect, remove the block.

**A project's hooks run without asking.** Whoever can write to \`.anyhook/\` of a folder in which you
start an agent can run programs as you. Connect the dispatcher in the settings of your user only if
you trust the repositories you work in; otherwise paste the block into the settings of single
projects (\`.claude/settings.json\`, \`.codex/hooks.json\`).

${adapters
  .filter(({ id }) => id in PLACES)
  .map(section)
  .join("\n\n")}

## Is it connected?

Start the harness, let it run a command, then:

\`\`\`sh
anyhook log        # one line per event that reached the dispatcher
anyhook status     # what runs, what fails, what never fired
\`\`\`
`;

function section(adapter: Adapter): string {
  const { file, note } = PLACES[adapter.id]!;
  return `## ${adapter.title}: \`${file}\`

\`\`\`json
${stanza(adapter)}
\`\`\`

${note}`;
}

function stanza(adapter: Adapter): string {
  const lines = Object.values(adapter.surfaces).map(({ native }) => {
    const command = `'/path/to/dispatch.sh' ${adapter.id} ${native}`;
    return `    "${native}": [{ "hooks": [{ "type": "command", "command": "${command}" }] }]`;
  });
  return `{\n  "hooks": {\n${lines.join(",\n")}\n  }\n}`;
}
