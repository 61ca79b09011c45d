import type { Hook } from "../model.ts";
import { ANSWER, type Answer, answerIn } from "./_answer.ts";
import { cacheFor } from "./_cache.ts";
import { choose } from "./_choose.ts";
import { extraOf } from "./_extra.ts";
import { fence, questionOf } from "./_fence.ts";
import type { Provider, Usage } from "./_provider.ts";
import { type Limit, settled } from "./_settled.ts";
import type { Run } from "./_verdict.ts";
import type { Work } from "./index.ts";

const MAX_TOKENS = 1024;

/** A model decides: `{ok, reason}`. */
export function runPrompt(hook: Hook, work: Work): Promise<Run> {
  return settled(work, async (limit, trace) => {
    const extra = extraOf(hook);
    const provider = choose(extra, work, { maxTokens: MAX_TOKENS });
    const who = `${provider.name} ${provider.model}`;
    trace.push(`asked ${who}`);
    const cache = cacheFor(hook, work, who, extra.cache_ttl ?? 0);
    const known = cache.read();
    if (known) {
      trace.push("answered from the cache");
      return saidBy(known);
    }
    const { answer, usage } = await ask(hook, work, provider, limit);
    trace.push(usageText(usage), ...(answer.ok && answer.reason !== "" ? [answer.reason] : []));
    cache.write(answer);
    return saidBy(answer);
  });
}

/** What a script would have printed. */
export const saidBy = ({ ok, reason }: Answer): string =>
  ok ? "" : JSON.stringify({ decision: "block", ...(reason === "" ? {} : { reason }) });

export const usageText = ({ input, output }: Usage): string =>
  input + output === 0 ? "tokens not told" : `${input} tokens in, ${output} out`;

const SYSTEM =
  "You are a check that runs as a hook inside a coding agent. The user message holds a rule, " +
  "written by the person who installed this hook, and the event to judge. Decide whether the " +
  "agent may go on. Answer with one JSON object and nothing else: " +
  '{"ok": true or false, "reason": "one or two sentences"}. ' +
  "ok is true when the agent may go on and false when it must not.";

async function ask(
  hook: Hook,
  work: Work,
  provider: Provider,
  limit: Limit,
): Promise<{ answer: Answer; usage: Usage }> {
  const fenced = fence();
  const said = await provider.complete({
    system: `${SYSTEM}\n\n${fenced.rule}`,
    turns: [{ role: "user", text: questionOf(hook.script, work, fenced) }],
    tools: [ANSWER],
    force: ANSWER.name,
    limit,
  });
  return { answer: answerIn(said), usage: said.usage };
}
