// Hook: SecurityValidator
// Event: PreToolUse
// Description: Keeps the agent from deleting the machine, the home folder or the project
// Matcher: tool_name = "Bash"
import { homedir } from "node:os";
import { commandsIn } from "./_command.ts";
import { readPayload, say } from "./_payload.ts";
import { deletes } from "./_deletes.ts";

const { tool_input = {}, cwd = process.cwd() } = readPayload();
const home = process.env["HOME"] ?? homedir();
const project = process.env["ANYHOOK_PROJECT_DIR"] ?? cwd;

const written = tool_input["command"];
const commands = commandsIn(typeof written === "string" ? written : "", { cwd, home });
const [found] = commands.flatMap((command) => deletes(command, { home, project }));

say(
  found === undefined
    ? { continue: true }
    : {
        decision: "block",
        message: `SecurityValidator: this would delete ${found}. Name exactly what should go.`,
      },
);
