import { suggest } from "../events.ts";
import { readStdin } from "../memory/stdin.ts";
import { HOOK_VERBS, isHookVerb, runVerb } from "../memory/run-verb.ts";
import { type Answer, type Call, Misuse, spoken } from "./_call.ts";

const FLAGS = ["payload", "cwd", "session", "transcript", "prompt"] as const;

/** A name that we do not know is a person's mistake; everything else ends with 0. */
export async function hook(call: Call): Promise<Answer> {
  const name = call.operands[0]!;
  const names = Object.keys(HOOK_VERBS).filter((one) => one !== "finish");
  if (!isHookVerb(name)) {
    const near = suggest(name, names);
    throw new Misuse(
      `there is no memory hook "${name}"`,
      near ? `did you mean ${near}?` : `one of ${names.join(", ")}`,
    );
  }
  const printed: string[] = [];
  const given = FLAGS.flatMap((flag) => {
    const value = call.text(flag);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  const argv = call.text("cwd") === undefined ? [...given, ...folder(call)] : given;
  await runVerb(name, argv, {
    env: call.env,
    stdin: readStdin,
    print: (text) => void printed.push(text),
  });
  const text = printed.join("\n");
  if (!call.json && text !== "") process.stdout.write(`${text}\n`);
  if (call.json)
    process.stdout.write(`${JSON.stringify({ event: name, context: text }, undefined, 2)}\n`);
  return spoken(0);
}

const folder = ({ text, from }: Call): string[] =>
  text("project") === undefined ? [] : ["--cwd", from];
