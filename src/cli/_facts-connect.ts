import type { VerbFacts } from "./_facts.ts";

export const CONNECT = {
  install: {
    group: "connect",
    summary: "Connect harnesses through their own settings",
    about:
      "Shows what it will change and asks first. Only our entries are added; comments, order, layout and everything else in the file stay as they are. A second run changes nothing. In the scope user (the default) the settings of your user are changed, for all projects; project changes settings that are committed with the repository and work on every machine; local those of this project on this machine.",
    options: {
      harness: {
        value: "names",
        about: "Which ones, separated by commas; all that are found here by default",
      },
      scope: { value: "scope", about: "user, project or local" },
      "git-hooks": { about: "Instead: let git run the hooks over what is about to be committed" },
      "dry-run": { about: "Show the changes and write nothing" },
      trust: { about: "Also write the harness's own record that you trust our entries" },
      yes: { short: "y", about: "Do not ask" },
    },
    examples: [
      ["anyhook install", "every harness that is found, after a question"],
      ["anyhook install --harness claude --dry-run", "only show the change"],
      ["anyhook install --harness codex --trust --yes", "without questions, and trusted"],
      ["anyhook install --scope project", "for everybody who clones this repository"],
    ],
    load: async () => (await import("./install.ts")).installNow,
  },
  uninstall: {
    group: "connect",
    summary: "Take our entries out of them again",
    about:
      "A file that nobody else has changed since gets back every byte it had; otherwise exactly our entries go.",
    options: {
      harness: { value: "names", about: "Which ones, separated by commas; all by default" },
      scope: { value: "scope", about: "user (the default), project or local" },
      all: { about: "Every harness in every scope and every project" },
      "git-hooks": { about: "Instead: take the check of commits out again" },
      "dry-run": { about: "Show the changes and write nothing" },
      yes: { short: "y", about: "Do not ask" },
    },
    examples: [
      ["anyhook uninstall --harness codex", "one harness"],
      ["anyhook uninstall --all --yes", "everywhere, without questions"],
    ],
    load: async () => (await import("./uninstall.ts")).uninstallNow,
  },
} as const satisfies Record<string, VerbFacts>;
