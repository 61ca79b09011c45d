import { isCall, listOf, textOf, type Answer, type Body, type Dialect } from "./_dialect.ts";

/** Google's generateContent; the path says whether it is a stream. */
export const generateContent = {
  path: /:(streamG|g)enerateContent$/,
  named: false,
  hear: (body, path) => ({
    said: listOf(body["contents"]).map(({ role, parts }) => ({
      by: role === "model" ? "model" : "other",
      text: listOf(parts)
        .map((part) => textOf(part["text"] ?? part))
        .join("\n"),
    })),
    tools: listOf(body["tools"])
      .flatMap((tool) => listOf(tool["functionDeclarations"]))
      .map(({ name }) => textOf(name)),
    stream: path.endsWith(":streamGenerateContent"),
  }),
  whole: contentOf,
  events: (answer) => [contentOf(answer)],
} satisfies Dialect;

function contentOf({ id, content, tokens }: Answer): Body {
  const part = isCall(content)
    ? { functionCall: { name: content.name, args: content.input } }
    : { text: content.text };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens,
      candidatesTokenCount: 1,
      totalTokenCount: tokens + 1,
    },
    modelVersion: "fake-model",
    responseId: `resp_${id}`,
  };
}
