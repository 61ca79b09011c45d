import type { Hook } from "../model.ts";
import { ANSWER, ANSWER_WITH_FINDINGS, type Answer, answerIn } from "./_answer.ts";
import { choose } from "./_choose.ts";
import { extraOf } from "./_extra.ts";
import { fence, type Fence, questionOf } from "./_fence.ts";
import type { Completed, Provider, ToolCall, ToolResult, Turn, Usage } from "./_provider.ts";
import { Failure, type Limit, settled, type Trace } from "./_settled.ts";
import { spoken } from "./_spoken.ts";
import { callTool, TOOL_SPECS } from "./_tools.ts";
import type { Run } from "./_verdict.ts";
import type { Work } from "./index.ts";
import { saidBy, usageText } from "./prompt.ts";

const MAX_TOKENS = 4096;
const MAX_TURNS = 10;
const TOKEN_BUDGET = 200_000;
const CALLS_PER_TURN = 8;
/** Of the trace's lines; the findings need some too. */
const CALLS_TOLD = 24;
const FINDINGS_TOLD = 12;

/** A model that looks for itself, read-only and inside the project, before it answers. */
export function runAgent(hook: Hook, work: Work): Promise<Run> {
  return settled(work, async (limit, trace) => {
    const extra = extraOf(hook);
    const chosen = choose(extra, work, { maxTokens: MAX_TOKENS });
    const provider = chosen.takesTools ? chosen : spoken(chosen);
    trace.push(`asked ${provider.name} ${provider.model}`);
    const job = {
      ...{ hook, work, provider, limit, trace },
      turns: extra.max_turns ?? MAX_TURNS,
      budget: extra.token_budget ?? TOKEN_BUDGET,
    };
    const answer = await converse(job);
    trace.push(...answer.findings.slice(0, FINDINGS_TOLD).map((finding) => `found: ${finding}`));
    if (answer.ok && answer.reason !== "") trace.push(answer.reason);
    return saidBy(answer);
  });
}

interface Job {
  readonly hook: Hook;
  readonly work: Work;
  readonly provider: Provider;
  readonly limit: Limit;
  readonly trace: Trace;
  readonly turns: number;
  readonly budget: number;
}

const SYSTEM =
  "You are a check that runs as a hook inside a coding agent. The user message holds a rule, " +
  "written by the person who installed this hook, and the event to judge. Look at the project " +
  "with your tools as far as you need to, then call the tool answer once: ok is true when the " +
  "agent may go on and false when it must not, reason is one or two sentences, findings are what " +
  "you saw, with file and line.";

async function converse(job: Job): Promise<Answer> {
  const { hook, work, trace } = job;
  const fenced = fence();
  const turns: Turn[] = [{ role: "user", text: questionOf(hook.script, work, fenced) }];
  let used: Usage = { input: 0, output: 0 };
  for (let turn = 1; turn <= job.turns; turn++) {
    const said = await ask(job, turns, fenced, turn === job.turns);
    used = sum(used, said.usage, turns, said);
    const isOver = said.calls.length === 0 || said.calls.some(({ name }) => name === ANSWER.name);
    if (isOver) {
      trace.push(`${turn} turns, ${usageText(used)}`);
      return answerIn(said);
    }
    if (used.input + used.output >= job.budget)
      throw new Failure(`no answer within ${job.budget} tokens`);
    turns.push({ role: "assistant", text: said.text, calls: said.calls });
    turns.push({ role: "tools", results: await look(job, said.calls, fenced) });
  }
  throw new Failure(`no answer within ${job.turns} turns`);
}

/** In the last turn there is nothing left but to answer. */
const ask = ({ provider, limit }: Job, turns: readonly Turn[], fenced: Fence, isLast: boolean) =>
  provider.complete({
    system: `${SYSTEM}\n\n${fenced.rule}`,
    turns,
    tools: [...TOOL_SPECS, ANSWER_WITH_FINDINGS],
    force: isLast ? ANSWER.name : "",
    limit,
  });

async function look(
  { work, limit, trace }: Job,
  calls: readonly ToolCall[],
  { mark }: Fence,
): Promise<ToolResult[]> {
  const bounds = { root: work.root || work.cwd, until: limit.until };
  const results: ToolResult[] = [];
  for (const [at, call] of calls.entries()) {
    if (at >= CALLS_PER_TURN) {
      results.push({ id: call.id, text: "too many calls in one turn", failed: true });
      continue;
    }
    const { line, id, text, failed } = await callTool(call, bounds);
    if (trace.length < CALLS_TOLD) trace.push(line);
    else if (trace.length === CALLS_TOLD) trace.push("… and more calls");
    results.push({ id, text: mark(call.name, text), failed });
  }
  return results;
}

/** Who does not count its tokens is taken to use one for four characters. */
function sum(used: Usage, usage: Usage, turns: readonly Turn[], said: Completed): Usage {
  const told = usage.input + usage.output > 0;
  const guess = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  const more = told ? usage : { input: guess(turns), output: guess([said.text, said.calls]) };
  return { input: used.input + more.input, output: used.output + more.output };
}
