import { readFileSync } from "node:fs";
import { isObject } from "../dispatch/occurrence.ts";
import { type Call, Misuse } from "./_call.ts";
import { madeUp } from "./_made-up.ts";
import type { At } from "./_surface.ts";

export interface Given {
  readonly payload: string;
  /** Where it came from, for people. */
  readonly from: "file" | "stdin" | "options" | "nothing";
}

/** From --payload, from the options that describe a call, or from standard input. */
export async function payloadOf(call: Call, at: At): Promise<Given> {
  const file = call.text("payload");
  if (file !== undefined) {
    const text = file === "-" ? await standardInput() : read(file);
    return { payload: checked(text, file), from: file === "-" ? "stdin" : "file" };
  }
  const described = ["tool", "command", "file", "prompt"].some(
    (name) => call.text(name) !== undefined,
  );
  if (described) return { payload: JSON.stringify(madeUp(call, at)), from: "options" };
  const text = process.stdin.isTTY ? "" : await standardInput();
  if (text.trim() !== "") return { payload: checked(text, "standard input"), from: "stdin" };
  return { payload: JSON.stringify(madeUp(call, at)), from: "nothing" };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Misuse(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function checked(text: string, where: string): string {
  try {
    if (isObject(JSON.parse(text))) return text;
  } catch {
    // Said below: the parser's own words mean little here.
  }
  throw new Misuse(
    `the payload from ${where} is not a JSON object`,
    'such as {"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}',
  );
}

const FIRST_BYTE_MS = 1000;

/** Somebody may have left us an open pipe that never says anything. */
async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  const silence = setTimeout(() => process.stdin.destroy(), FIRST_BYTE_MS);
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(silence);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  } finally {
    clearTimeout(silence);
  }
  return Buffer.concat(chunks).toString("utf8");
}
