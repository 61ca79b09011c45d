import { createInterface } from "node:readline";

/** A person sits there who can answer. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

export interface Talk {
  /** Anything but a yes is a no. Asked on stderr, so that the output stays what it is. */
  readonly agrees: (question: string) => Promise<boolean>;
  readonly end: () => void;
}

/** One reader for all questions: a second one would miss what was typed ahead. */
export function talk(): Talk {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const lines = reader[Symbol.asyncIterator]();
  return {
    agrees: async (question) => {
      process.stderr.write(`${question} [y/N] `);
      const { value, done } = await lines.next();
      return !done && /^y(es)?$/i.test(value.trim());
    },
    end: () => reader.close(),
  };
}
