import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Question {
  readonly text: string;
  readonly answers: readonly string[];
}

export interface RetrievalSet {
  /** id → text; noise has ids of its own. */
  readonly memories: ReadonlyMap<string, string>;
  readonly questions: readonly Question[];
  readonly heldOut: readonly Question[];
}

export function readSet(): RetrievalSet {
  const lines = readFileSync(join(import.meta.dirname, "retrieval-set.txt"), "utf8").split("\n");
  const memories = new Map<string, string>();
  const questions: Question[] = [];
  const heldOut: Question[] = [];
  const lists = new Map<string, string[]>();
  for (const line of lines) {
    const [, id, text] = /^(\w+)\| (.+)$/.exec(line) ?? [];
    if (id !== undefined) memories.set(id, text!);
    const [, marks, question, answers] = /^(\?\??) (.+) => (.+)$/.exec(line) ?? [];
    if (question !== undefined)
      (marks === "?" ? questions : heldOut).push({ text: question, answers: answers!.split(" ") });
    const [, name, rest] = /^@(\w+) (.+)$/.exec(line) ?? [];
    if (name !== undefined) lists.set(name, rest!.split(name === "facts" ? "; " : ", "));
  }
  for (const service of lists.get("services") ?? [])
    for (const [n, fact] of (lists.get("facts") ?? []).entries())
      memories.set(`noise-${service}-${n}`, fact.replaceAll("{a}", service));
  return { memories, questions, heldOut };
}

export interface Quality {
  readonly recallAt5: number;
  readonly mrr: number;
}

/** Share of questions with an answer among the first five, and the mean of 1/rank within ten. */
export function quality(
  questions: readonly Question[],
  ranked: (text: string) => readonly string[],
): Quality {
  const ranks = questions.map(({ text, answers }) => {
    const at = ranked(text)
      .slice(0, 10)
      .findIndex((id) => answers.includes(id));
    return at < 0 ? Infinity : at + 1;
  });
  return {
    recallAt5: ranks.filter((rank) => rank <= 5).length / ranks.length,
    mrr: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
  };
}
