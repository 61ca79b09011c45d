import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Answer, type Call, Missing, Misuse, spoken } from "./_call.ts";
import { projectDir } from "./_dispatcher.ts";
import { rootHere } from "./_project.ts";
import { type At, surfaceNamed } from "./_surface.ts";

/** The front door itself, with our standard input, output and error as its own. */
export async function dispatch(call: Call): Promise<Answer> {
  const [harness = "", name = ""] = call.operands;
  const { adapter, event } = surfaceAsked(harness, name);
  rootHere(call);
  if (process.stdin.isTTY)
    throw new Missing(
      "dispatch reads the event from standard input, and that is a terminal",
      `give it a file: anyhook dispatch ${harness} ${event} < payload.json, or try anyhook simulate ${harness} ${event}`,
    );
  const named = call.text("project") === undefined ? {} : projectDir(adapter, call.from);
  const child = spawn(
    "/bin/sh",
    [join(call.installation.shell, "dispatch.sh"), adapter.id, event],
    {
      stdio: "inherit",
      cwd: call.from,
      env: { ...call.env, ...named },
    },
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    // The child gets the terminal's interrupt too, and answers it.
    process.once("SIGINT", () => {});
    child.on("close", (code, signal) => resolve(spoken(signal === "SIGINT" ? 130 : (code ?? 1))));
  });
}

/** Where a harness is calling, exit 2 is a block: a slip of the pen must not be one. */
function surfaceAsked(harness: string, name: string): At {
  try {
    return surfaceNamed(harness, name);
  } catch (error) {
    throw error instanceof Misuse ? new Missing(error.message, error.hint) : error;
  }
}
