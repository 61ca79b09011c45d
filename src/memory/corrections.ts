/** A sentence of the user that puts the agent right, or says how things are to be done. */
export function corrections(text: string): string[] {
  if (text.length > LONGEST_PROMPT) return [];
  return sentences(text).filter(
    (one) =>
      one.length >= 12 &&
      one.length <= 300 &&
      !one.includes("#") &&
      CORRECTING.some((p) => p.test(one)),
  );
}

/** Longer ones are pasted, not typed. */
const LONGEST_PROMPT = 4000;

const CORRECTING: readonly RegExp[] = [
  /^no[,.!]\s/i,
  /^(?:stop|quit)\s+\w+ing\b/i,
  /\b(?:don['’]?t|do not|never)\s+(?:use|do|add|write|touch|change|edit|run|commit|call|create|make)\b/i,
  /\bthat(?:['’]s| is|['’]s still| is still)\s+(?:wrong|not (?:right|what|correct))/i,
  /\bi (?:said|told you|asked (?:you )?(?:for|to)|meant)\b/i,
  /\b(?:instead of|rather than)\s+\w+/i,
  /\b(?:always|from now on)[, ]+(?:use|run|write|put|ask|keep|prefer)\b/i,
  /\bwe (?:don['’]?t|do not|never|always)\s+\w+/i,
  /^(?:actually|wrong)[,.:]\s/i,
];

const sentences = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:[>`|+-]|\d+[:|])/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .map((one) => one.replaceAll(/\s+/g, " ").trim())
    .filter((one) => one !== "" && !one.endsWith("?"));
