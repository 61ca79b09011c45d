import { applyChange, type Change, gitHookOf } from "../install/git-hooks.ts";
import type { Answer, Call } from "./_call.ts";
import { changeText } from "./_changes.ts";
import { canAsk, talk } from "./_consent.ts";
import { inRepository } from "./_repository.ts";

/** `install --git-hooks` and its undoing: one script of the repository, after a question. */
export async function gitHooks(
  call: Call,
  plan: (file: string) => Change | undefined,
  done: string,
): Promise<Answer> {
  const { keeper, file, advice } = inRepository(call.from, gitHookOf);
  const json = { keeper, file, advice };
  if (file === "")
    return {
      exit: 1,
      json: { ...json, written: false },
      text: `${keeper} runs the git hooks here, and its configuration is yours: ${advice}`,
    };
  const change = plan(file);
  if (!change)
    return { exit: 0, json: { ...json, written: false }, text: `Nothing to change in ${file}.` };
  const more = advice === "" ? "" : `\n${advice}`;
  const shown = `${changeText(asBytes(change), call.paint)}${more}`;
  if (call.flag("dry-run") || !(await agreed(call, shown))) {
    const last = call.flag("dry-run")
      ? "Nothing was written."
      : "Nothing was written. Say --yes to write this.";
    return {
      exit: call.flag("dry-run") ? 0 : 2,
      json: { ...json, written: false },
      text: `${shown}\n\n${last}`,
    };
  }
  applyChange(change);
  return { exit: 0, json: { ...json, written: true }, text: `${done} ${file}${more}` };
}

const asBytes = ({ file, before, after }: Change) => ({
  ...{ file, real: file },
  before: before === undefined ? undefined : Buffer.from(before),
  after: after === undefined ? undefined : Buffer.from(after),
});

async function agreed(call: Call, shown: string): Promise<boolean> {
  if (call.flag("yes")) return true;
  if (call.json || !canAsk()) return false;
  process.stderr.write(`${shown}\n\n`);
  const { agrees, end } = talk();
  return agrees("Write this?").finally(end);
}
