/** Why a pattern cannot be used. `at` is the 0-based position in the text of the pattern. */
export interface RegexProblem {
  readonly message: string;
  readonly hint: string;
  readonly at: number;
}

/** Leaves the recursive stages early; the exported functions turn it into a returned problem. */
export class Unusable extends Error {
  readonly problem: RegexProblem;

  constructor(problem: RegexProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function fail(at: number, message: string, hint: string): never {
  throw new Unusable({ message, hint, at });
}

export function tooLarge(hint: string, at = 0): never {
  fail(at, "too large: simplify", hint);
}

/** Runs `work` and gives its problem instead of throwing it. */
export function attempt<T>(work: () => T): T | { readonly problem: RegexProblem } {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unusable) return { problem: error.problem };
    throw error;
  }
}
