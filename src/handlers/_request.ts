import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../dispatch/occurrence.ts";
import { redact } from "../dispatch/redact.ts";
import { type Incoming, type Outgoing, post } from "./_fetch.ts";
import { Failure, type Limit } from "./_settled.ts";
import { cut } from "./_verdict.ts";

export interface Asked extends Omit<Outgoing, "signal" | "body"> {
  readonly json: unknown;
  /** Removed from whatever the other side says. */
  readonly secret: string;
  readonly limit: Limit;
}

/** Anthropic's "overloaded" is 529; the others are HTTP's own. */
const AGAIN: readonly number[] = [408, 409, 429, 500, 502, 503, 504, 529];
const ATTEMPTS = 3;
const FIRST_WAIT = 400;

/** Asks a model's interface, again where that can help and the time allows it. */
export async function request(asked: Asked): Promise<Incoming> {
  const { json, limit, secret, ...out } = asked;
  const body = Buffer.from(JSON.stringify(json));
  for (let attempt = 1; ; attempt++) {
    const answer = await post({ ...out, body, signal: limit.signal });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const said = `${out.url.host}: ${answer.status}${reasonIn(answer, secret)}`;
    if (!AGAIN.includes(answer.status)) throw new Refusal(said, answer.status);
    if (attempt >= ATTEMPTS) throw new Failure(`${said} (asked ${ATTEMPTS} times)`);
    const wait = waitFor(answer, attempt);
    if (performance.now() + wait >= limit.until)
      throw new Failure(`${said}; asking again in ${wait} ms would be past the timeout`);
    await sleep(wait, undefined, { signal: limit.signal });
  }
}

/** The request itself is at fault. */
export class Refusal extends Failure {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** `retry-after` is a number of seconds or a date. */
function waitFor({ headers }: Incoming, attempt: number): number {
  const own = FIRST_WAIT * 2 ** (attempt - 1);
  const said = headers["retry-after"];
  if (said === undefined) return own;
  const seconds = /^\d+(\.\d+)?$/.test(said)
    ? Number(said)
    : (Date.parse(said) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds * 1000)) : own;
}

/** Both dialects have `error: { type, message }`. */
function reasonIn({ body }: Incoming, secret: string): string {
  let data: unknown;
  try {
    data = JSON.parse(body.toString("utf8"));
  } catch {
    return "";
  }
  const error = isObject(data) && isObject(data["error"]) ? data["error"] : {};
  const words = [error["type"], error["message"]].filter((text) => typeof text === "string");
  return words.map((text) => ` ${scrubbed(text, secret)}`).join("");
}

/** Far more than is shown; a key that ends there is found by its beginning. */
const LOOKED_AT = 4000;
const SHOWN = 200;

/** Cut last: half a key that is left standing is still half a key. */
export const scrubbed = (text: string, secret: string): string =>
  cut(redact(withoutPieces(cut(text, LOOKED_AT), secret)).replace(/\s+/g, " "), SHOWN);

/** A piece of a secret that is as long as this is no chance. */
const PIECE = 8;

function withoutPieces(text: string, secret: string): string {
  if (secret.length < PIECE) return secret === "" ? text : text.replaceAll(secret, "[redacted]");
  let out = "";
  for (let at = 0; at < text.length;) {
    let length = 0;
    if (secret.includes(text.slice(at, at + PIECE)) && at + PIECE <= text.length)
      for (length = PIECE; at + length < text.length; length++)
        if (!secret.includes(text.slice(at, at + length + 1))) break;
    out += length > 0 ? "[redacted]" : text[at];
    at += Math.max(1, length);
  }
  return out;
}
