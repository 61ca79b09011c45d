/**
 * Strings that look drawn by lot: what a key is made of, whoever issued it. Not taken: ids of commits
 * that are called so, UUIDs, paths, and words.
 */
export function redactRandom(text: string, by: string): string {
  return text.replaceAll(TOKEN, (token: string, at: number) =>
    isRandom(token, text.slice(Math.max(0, at - 24), at)) ? by : token,
  );
}

const TOKEN = /[A-Za-z0-9+/_=-]{20,}/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CALLED_COMMIT =
  /(?:commit|sha|sha1|rev|revision|revert|parent|HEAD|merge|index)[ :=#("'`]*$/i;

function isRandom(token: string, before: string): boolean {
  if (UUID.test(token)) return false;
  const bare = token.replace(/=+$/, "");
  if (/^[0-9a-f]+$/i.test(bare)) {
    if (/^\d+$/.test(bare)) return false;
    const isCommit = bare.length === 40 && CALLED_COMMIT.test(before);
    return bare.length >= 32 && !isCommit && entropy(bare) > 3;
  }
  return longestMixed(bare) >= 20 && entropy(bare) > 3.6;
}

/** Paths and kebab-case are words with marks between them; a key runs on. */
function longestMixed(token: string): number {
  const runs = token.split(/[/_-]+/).filter((run) => run !== "");
  const mixed = runs.filter((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
  if (mixed.length * 2 >= runs.length && mixed.join("").length >= 12) return token.length;
  const solid = runs.filter((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && run.length >= 16);
  return solid.some((run) => !isWords(run)) ? token.length : 0;
}

/** CamelCase is made of words of three letters and more. */
const isWords = (text: string): boolean => {
  const parts = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return parts.length > 0 && text.length / parts.length >= 3.5;
};

export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => {
    const p = n / text.length;
    return sum - p * Math.log2(p);
  }, 0);
}
