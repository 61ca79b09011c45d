import { join } from "node:path";
import { stagedFiles, type Staged } from "../install/staged.ts";
import { bringAbout } from "./_by-hand.ts";
import { type Answer, type Call, Misuse } from "./_call.ts";
import { harmless } from "./_paint.ts";
import { inRepository } from "./_repository.ts";
import { count } from "./_words.ts";

/**
 * What an agent would be told while it writes, told at commit time: for harnesses whose single tool
 * calls nobody sees. Every staged file is a Write of its staged content.
 */
export async function gate(call: Call): Promise<Answer> {
  const [stage = ""] = call.operands;
  if (stage !== "pre-commit") throw new Misuse(`there is no gate "${stage}"`, "say pre-commit");
  const { top, files, left } = inRepository(call.from, stagedFiles);
  const findings: Finding[] = [];
  for (const file of files) findings.push(...(await findingsOf(call, top, file)));
  const blocked = findings.filter(({ kind }) => kind === "deny");
  return {
    exit: blocked.length > 0 ? 1 : 0,
    json: { ok: blocked.length === 0, files: files.length, left, findings },
    text: textOf(call, findings, files.length, left),
  };
}

interface Finding {
  readonly file: string;
  readonly kind: "deny" | "context";
  readonly text: string;
}

async function findingsOf(call: Call, top: string, { path, content }: Staged): Promise<Finding[]> {
  const payload = {
    session_id: "git",
    transcript_path: "",
    cwd: top,
    tool_name: "Write",
    tool_input: { file_path: join(top, path), content },
  };
  const before = await bringAbout(call, "git", "PreToolUse", payload, top);
  if (before.verdict === "deny") return [{ file: path, kind: "deny", text: before.reason }];
  const response = { type: "staged", filePath: join(top, path) };
  const after = await bringAbout(
    call,
    "git",
    "PostToolUse",
    { ...payload, tool_response: response },
    top,
  );
  return [before.context, after.context]
    .filter((text) => text !== "")
    .map((text) => ({ file: path, kind: "context", text }));
}

function textOf(
  { paint }: Call,
  findings: readonly Finding[],
  files: number,
  left: number,
): string {
  const lines = findings.map(({ file, kind, text }) => {
    const word = kind === "deny" ? paint.bad("blocked") : paint.odd("remark");
    return `${word}  ${paint.name(file)}: ${harmless(text)}`;
  });
  if (left > 0)
    lines.push(
      paint.odd(
        `${count(left, "further file was", "further files were")} not looked at: too many for one commit`,
      ),
    );
  const blocked = findings.filter(({ kind }) => kind === "deny").length;
  if (blocked > 0)
    lines.push(paint.bad(`${count(blocked, "file")} of ${files} must not be committed like this.`));
  return lines.join("\n");
}
