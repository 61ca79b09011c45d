import { createHash } from "node:crypto";
import { redact } from "../dispatch/redact.ts";
import { visible } from "./visible.ts";

/**
 * An id of somebody else (session, event, call, file) as it may stand on a disk and in a packet: itself,
 * or its hash when it is long, has more than one line, or has something in it that looks like a secret.
 */
export function nameOf(id: string): string {
  const isFit = id.length <= LONGEST && visible(id) === id && !/[\n\r\t]/.test(id);
  return isFit && redact(id) === id ? id : `h${hashOf(id)}`;
}

const LONGEST = 400;

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 20);
