import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

/**
 * Where secretlint's recommended rules find a secret. A file of its own in dist/, loaded when there
 * is something to write: the rules are most of the code, and most events write nothing.
 */
export async function findSecrets(content: string): Promise<(readonly [number, number])[]> {
  const { messages } = await lintSource({
    source: { filePath: "text.txt", content, contentType: "text", ext: ".txt" },
    options: { config: { rules: [{ id: "preset", rule: creator }] }, noPhysicFilePath: true },
  });
  return messages.map(({ range: [from, to] }) => [from, to] as const);
}
