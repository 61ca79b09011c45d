import { redact as redactPatterns } from "../dispatch/redact.ts";
import { isObject } from "../dispatch/occurrence.ts";
import { redactRandom } from "./entropy.ts";

const MARK = "[redacted]";
/** A key that never ends is one all the same. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g;
const BASIC = /\b[Bb]asic +[A-Za-z0-9+/=]{12,}/g;

/**
 * Text without secrets: what secretlint's recommended rules find, what the ledger leaves out, and
 * what looks random. Everything that memory writes to a disk goes through here first.
 */
export async function redact(text: string): Promise<string> {
  if (text === "") return "";
  const linted = await withoutFindings(text.replaceAll(PRIVATE_KEY, MARK));
  return redactRandom(redactPatterns(linted.replaceAll(BASIC, `Basic ${MARK}`)), MARK);
}

/** Many short texts at once, which costs as much as one. */
export async function redactAll(texts: readonly string[]): Promise<string[]> {
  if (texts.length < 2 || texts.some((text) => text.includes(BETWEEN)))
    return Promise.all(texts.map(redact));
  const clean = (await redact(texts.join(SEPARATOR))).split(SEPARATOR);
  // A key that never ends swallows its neighbours: then each one by itself.
  return clean.length === texts.length ? clean : Promise.all(texts.map(redact));
}

const BETWEEN = "\u001e";
const SEPARATOR = `\n${BETWEEN}\n`;

async function withoutFindings(text: string): Promise<string> {
  const { findSecrets } = await import("./secret-rules.ts");
  // A comment in the text could switch the rules off.
  const found = await findSecrets(text.replaceAll(/secretlint-(?=disable)/gi, "secretlint_"));
  return found
    .toSorted((a, b) => b[0] - a[0])
    .reduce((out, [from, to]) => out.slice(0, from) + MARK + out.slice(to), text);
}

const SECRET_KEY =
  /^(?:.*[_-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|apikey|authorization|credentials?|private[_-]?key|cookie)$/i;

/** Every string inside a value; what stands under the name of a secret goes whatever it looks like. */
export async function redactValue(value: unknown): Promise<unknown> {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return Promise.all(value.map(redactValue));
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).map(async ([key, inner]) => {
    const hidden = SECRET_KEY.test(key) && typeof inner !== "object" && inner !== null;
    return [await redact(key), hidden ? MARK : await redactValue(inner)] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}
