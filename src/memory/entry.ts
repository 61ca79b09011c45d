import type { HookVerb } from "./run-verb.ts";
import { readStdin } from "./stdin.ts";

/** What the pack anyhook/memory starts: dist/memory.cjs <verb>, payload on standard input. */
const [verb = "", ...argv] = process.argv.slice(2);

// Who asked may have gone: that is no reason to end with an error.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

const print = (text: string): void => void process.stdout.write(`${text}\n`);

// Loaded late, so that even an installation with holes in it ends with 0.
import("./run-verb.ts")
  .then(({ isHookVerb, runVerb }) => {
    if (!isHookVerb(verb)) throw new Error(`memory has no verb "${verb}"`);
    return runVerb(verb satisfies HookVerb, argv, { env: process.env, stdin: readStdin, print });
  })
  .catch((error: unknown) => {
    process.stderr.write(`anyhook: ${(error as Error).message}\n`);
  });
