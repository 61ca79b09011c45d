import { canonicalBytes } from "../dispatch/canonical-bytes.ts";
import type { Hook } from "../model.ts";
import { addressOf } from "./_address.ts";
import { extraOf } from "./_extra.ts";
import { type Incoming, post } from "./_fetch.ts";
import { headersOf } from "./_headers.ts";
import { Failure, settled } from "./_settled.ts";
import type { Run } from "./_verdict.ts";
import { trim } from "./_verdict.ts";
import type { Work } from "./index.ts";

/** Posts the canonical payload; the body of a 2xx is what a script would have printed. */
export function runHttp(hook: Hook, work: Work): Promise<Run> {
  return settled(work, async ({ signal }) => {
    const extra = extraOf(hook);
    const url = addressOf(hook.script);
    const answer = await post({
      url,
      headers: {
        accept: "application/json",
        ...headersOf(extra, work.env),
        "content-type": "application/json",
        "anyhook-event-id": encodeURIComponent(work.event.id.toWellFormed()),
      },
      body: canonicalBytes(work.event, work.input),
      hosts: extra.allowed_hosts ?? [],
      signal,
    });
    return saidBy(answer, url);
  });
}

function saidBy({ status, headers, body }: Incoming, { host }: URL): string {
  if (status >= 300 && status < 400)
    throw new Failure(`${host}: ${status}, and redirects are not followed`);
  if (status < 200 || status >= 300) throw new Failure(`${host}: answered ${status}`);
  const text = trim(body);
  if (status === 204) return "";
  // Without a length nobody can tell a body that is empty from one that never came.
  const isFramed = (headers["content-length"] ?? headers["transfer-encoding"]) !== undefined;
  if (text === "" && !isFramed) throw new Failure(`${host}: ${status}, closed before a body came`);
  if (text === "") return "";
  if (!isObjectText(text)) throw new Failure(`${host}: ${status}, but the body is no JSON object`);
  return text;
}

function isObjectText(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
