import { readFileSync } from "node:fs";

/** The fields that these hooks read; a payload has more. */
export interface Payload {
  readonly session_id: string;
  readonly transcript_path?: string | null;
  readonly hook_event_name: string;
  readonly cwd?: string;
  readonly reason?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
}

export const readPayload = (): Payload => JSON.parse(readFileSync(0, "utf8")) as Payload;

/** One JSON object on stdout is a decision. */
export const say = (answer: object): void => {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
};
