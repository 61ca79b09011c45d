/** Colours by meaning, so that one place decides how things look. */
const CODES = {
  strong: "1",
  quiet: "2",
  good: "32",
  bad: "31",
  odd: "33",
  name: "36",
} as const satisfies Record<string, string>;

export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

export function paint(coloured: boolean): Paint {
  const dye = (code: string) => (text: string) =>
    coloured && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  const pairs = Object.entries(CODES).map(([meaning, code]) => [meaning, dye(code)] as const);
  return Object.fromEntries(pairs) as Paint;
}

/** Only on a terminal that can, and never against NO_COLOR (no-color.org). */
export const isColoured = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";

/** What hooks and agents wrote must not be able to steer the terminal. */
export const harmless = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");

/** The last look at a whole text: of what could steer a terminal only our own colours are left. */
export const steady = (text: string): string =>
  text.replace(
    /\u001b\[(?:0|1|2|31|32|33|36)m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (found) => (found.length > 1 ? found : "\ufffd"),
  );

export const oneLine = (text: string): string =>
  harmless(text)
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ");

const COLOUR = /\u001b\[\d+m/g;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** Columns that a text takes on a terminal, colours not counted. */
export const widthOf = (text: string): number =>
  [...text.replace(COLOUR, "")].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
