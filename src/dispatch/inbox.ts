import { readFileSync, writeFileSync } from "node:fs";

/** What an async hook said after its event was over. */
export interface Message {
  readonly hook: string;
  readonly text: string;
}

/** The shell has taken them from the slot's inbox; `names` is its list, one per line. */
export function readInbox(run: string, names: string): Message[] {
  return names
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => readFileSync(`${run}.inbox.${name}`, "utf8"))
    .map((text) => {
      const end = text.indexOf("\n");
      return { hook: text.slice(0, end), text: text.slice(end + 1) };
    });
}

/** The reply had no room for them: the shell puts them back. */
export const leaveUntold = (run: string): void => writeFileSync(`${run}.untold`, "");
