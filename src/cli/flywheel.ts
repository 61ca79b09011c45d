import { flywheel as turn, type Turned } from "../memory/flywheel.ts";
import { type Answer, type Call, Missing, Misuse } from "./_call.ts";
import { explained } from "./_store-fault.ts";
import { count } from "./_words.ts";

export async function flywheel(call: Call): Promise<Answer> {
  expectWord(call, "close-loop");
  return reported(await turned(call, call.text("transcript")));
}

/** A transcript is what this verb is about: without one there is nothing to do. */
export async function forge(call: Call): Promise<Answer> {
  expectWord(call, "transcript");
  const result = await turned(call, call.operands[1]);
  if (result.transcript !== "") return reported(result);
  throw new Missing(
    "no transcript of this folder was found",
    "name one: anyhook forge transcript <path>",
  );
}

function expectWord({ verb, operands }: Call, word: string): void {
  if (operands[0] === word) return;
  throw new Misuse(`${verb} has no "${operands[0]}"`, `anyhook ${verb} ${word}`);
}

async function turned({ from, env }: Call, transcript: string | undefined): Promise<Turned> {
  const say = (text: string): void => void process.stderr.write(`anyhook: ${text}\n`);
  const named = transcript === undefined ? {} : { transcript };
  return explained(() => turn({ cwd: from, env, say, ...named }));
}

function reported(result: Turned): Answer {
  const { transcript, accepted, candidates, signals, damaged, dropped } = result;
  const text = [
    transcript === "" ? "No transcript of this folder was found." : `Read ${transcript}.`,
    `${count(accepted, "memory", "memories")} accepted, ${count(candidates, "candidate")}, ${count(signals, "signal")}.`,
    ...(candidates > 0
      ? ["anyhook memory list --status candidate shows what waits for your word."]
      : []),
  ].join("\n");
  return { exit: 0, json: { transcript, accepted, candidates, signals, damaged, dropped }, text };
}
