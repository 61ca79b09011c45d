import type { Adapter } from "../src/adapters/_contract.ts";
import type { Answers } from "../src/adapters/_natives.ts";

/** What shell/native.awk reads: harness, event (`*`: all others), fact, value; tab-separated. */
export function nativesFile(adapters: readonly Adapter[]): string {
  const lines = adapters.flatMap(({ id, settings: { natives } }) => {
    if (!natives) return [];
    const told = Object.entries({ ...natives.answersAt, "*": natives.answers });
    return told.flatMap(([event, answers]) =>
      factsOf(natives.shell, answers).map((fact) => [id, event, ...fact].join("\t")),
    );
  });
  return `# Written by scripts/gen.ts from the adapters. Do not edit.\n${lines.join("\n")}\n`;
}

const factsOf = (shell: string, answers: Answers): string[][] => [
  ["shell", shell],
  ["json", answers.json],
  ...(answers.jsonOnStderr ? [["stderr", "json"]] : []),
  ...(answers.quiet ? [["quiet", answers.quiet]] : []),
  ...(answers.text === "" ? [] : [["text", answers.text]]),
  ...Object.entries(answers.exits).map(([code, means]) => [`exit ${code}`, means]),
  ...Object.entries(answers.says).map(([path, means]) => [`says ${path}`, means]),
];
