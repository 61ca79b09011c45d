import { execFile } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import { HookExecutor } from "anyhook";
import { chatModel } from "./chat-model.ts";
import { runAgent } from "./agent.ts";

const sh = async ({ command }: Record<string, unknown>): Promise<string> => {
  const run = promisify(execFile)("sh", ["-c", String(command)]);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
};

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return answer.toLowerCase() === "y";
}

/** MODEL_URL is any endpoint that speaks chat completions. */
const { MODEL_URL = "http://127.0.0.1:8080/v1", MODEL = "default", MODEL_KEY = "" } = process.env;
const executor = new HookExecutor({ hooksFile: `${import.meta.dirname}/hooks.yaml` });
// Hooks with a mistake in them do not run: a program that counts on them had better not start.
const mistakes = (await executor.check()).filter(({ severity }) => severity === "error");
if (mistakes.length > 0) {
  for (const { file, line, message } of mistakes) console.error(`${file}:${line}: ${message}`);
  process.exit(1);
}
const agent = {
  executor,
  confirm,
  tools: { Bash: sh },
  model: chatModel({ url: MODEL_URL, model: MODEL, key: MODEL_KEY, tools: ["Bash"] }),
};
console.log(await runAgent(agent, process.argv.slice(2).join(" ")));
await executor.close();
