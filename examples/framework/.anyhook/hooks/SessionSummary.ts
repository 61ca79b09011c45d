// Hook: SessionSummary
// Event: SessionEnd
// Description: One line per finished session, in a file outside the work tree
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readPayload } from "./_payload.ts";

const payload = readPayload();
const project = process.env["ANYHOOK_PROJECT_DIR"] ?? payload.cwd ?? "";
const state = process.env["XDG_STATE_HOME"] || join(homedir(), ".local/state");
const file = join(state, "session-summaries", `${basename(project)}.jsonl`);

// The same event may be delivered twice; its id is then the same.
const id = process.env["ANYHOOK_EVENT_ID"] ?? payload.session_id;
const written = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
if (!written.some((line) => line.includes(JSON.stringify(id)))) {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(summary())}\n`);
}

function summary(): object {
  return {
    id,
    ended: new Date().toISOString(),
    harness: process.env["ANYHOOK_HARNESS"],
    session: payload.session_id,
    reason: payload.reason,
    project,
    lines: linesIn(payload.transcript_path),
  };
}

function linesIn(transcript: string | null | undefined): number {
  try {
    return readFileSync(transcript ?? "", "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}
