import { Fault } from "../fault.ts";
import { Missing } from "./_call.ts";

/** What needs a git repository, where there may be none: that is no fault of ours. */
export function inRepository<T>(dir: string, ask: (dir: string) => T): T {
  try {
    return ask(dir);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "git") throw error;
    const isNone = /not a git repository/i.test(error.message);
    throw new Missing(isNone ? `${dir} is in no git repository` : error.message, error.hint);
  }
}
