import { redact as redactPatterns } from "../dispatch/redact.ts";
import { isObject } from "../dispatch/occurrence.ts";
import { redactRandom } from "./entropy.ts";
import { visible } from "./visible.ts";

const MARK = "[redacted]";
/** A key that never ends is one all the same. */
const PRIVATE_KEY =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}|$)/g;

/** What no rule set looks for, since only its surroundings say that it is a secret. */
const SAID_TO_BE_ONE: readonly RegExp[] = [
  /(?<=\b[Bb]asic +)[A-Za-z0-9+/=]{12,}/g,
  /(?<=\b(?:proxy-)?authorization["']?[:=] *["']?(?:\w{1,20} +)?)(?!\w{1,20} +[^\s"']{6})[^\s"']{6,}/gi,
  /(?<=\b(?:set-)?cookie["']?: *["']?)[^"'\n]+/gi,
  // Assigned, in any spelling, also within JSON within JSON.
  /(?<=(?:pass(?:word|wd|phrase|code)|secret|token|(?:api|access|private|signing|encryption|secret)[_-]?key)\\{0,7}["']?[ \t]{0,20}(?:[=:]|=>)[ \t]{0,20}\\{0,7}["'])[^"'\\\s]+/gi,
  /(?<=\b[A-Z][A-Z0-9_]{0,60}(?:PASS|PWD|SECRET|TOKEN|KEY|CREDENTIALS?|AUTH)(?:_[A-Z0-9_]{1,40})?=["']?)[^\s"',;&]+/g,
  /(?<="_?auth(?:[Tt]oken)?"[ \t]{0,20}:[ \t]{0,20}")[^"\s]+/g,
  // On command lines: curl -u ada:…, sshpass -p …, mysql -p…; and in a .netrc.
  /(?<=\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'/@]{1,64}:)(?!\d+\b)[^\s"'/]+/g,
  /(?<=\bsshpass +-p *["']?)[^\s"']+/g,
  /(?<=\bmysql(?:dump|admin)?\b[^\n|;&]{0,200}\s-p)[^\s"'-][^\s"']*/g,
  /(?<=\blogin\s+\S{1,100}\s+password\s+)\S+/g,
];

/**
 * Text without secrets: what secretlint's recommended rules find, what the ledger leaves out, and
 * what looks random. Everything that memory writes to a disk goes through here first.
 */
export async function redact(text: string): Promise<string> {
  if (text === "") return "";
  const linted = await withoutFindings(visible(text).replaceAll(PRIVATE_KEY, MARK));
  const said = SAID_TO_BE_ONE.reduce((out, pattern) => out.replaceAll(pattern, MARK), linted);
  return redactRandom(redactPatterns(said), MARK);
}

/** Many short texts at once, which costs as much as one. */
export async function redactAll(texts: readonly string[]): Promise<string[]> {
  if (texts.length < 2 || texts.some((text) => text.includes(BETWEEN)))
    return Promise.all(texts.map(redact));
  const clean = (await redact(texts.join(SEPARATOR))).split(SEPARATOR);
  // A key that never ends swallows its neighbours: then each one by itself.
  return clean.length === texts.length ? clean : Promise.all(texts.map(redact));
}

/** Of no script, and nothing that `visible` would take out. */
const BETWEEN = "\u{F8FE}";
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
  /^(?:.*[_-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|apikey|auth(?:orization)?|credentials?|private[_-]?key|cookie)$/i;

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
