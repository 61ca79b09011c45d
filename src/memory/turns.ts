import { isObject, parseObject, scalarText } from "../dispatch/occurrence.ts";
import { saysFailed } from "./envelope.ts";
import { ownWords } from "./own-words.ts";
import { mayHaveTags } from "./tags.ts";

/** One thing that happened in a conversation, whoever wrote the transcript. */
export type Turn =
  | {
      readonly type: "said";
      readonly by: "user" | "assistant";
      readonly text: string;
      readonly at: string;
    }
  | {
      readonly type: "called";
      readonly id: string;
      readonly tool: string;
      readonly input: Fields;
      readonly at: string;
    }
  | { readonly type: "failed"; readonly id: string; readonly text: string; readonly at: string }
  /** The output of a tool, or a file that was attached, that has something like a tag in it. */
  | { readonly type: "printed"; readonly text: string };

export type Fields = Readonly<Record<string, unknown>>;

/** The turns of one line. Lines are told apart by their shape, so that forks of a format are read too. */
export function turnsOf(line: string): Turn[] {
  if (!isWorthReading(line)) return [];
  const record = parseObject(line);
  const at = timeOf(record);
  if (isObject(record["attachment"])) return printed(stringsIn(record["attachment"]));
  if (isObject(record["payload"])) return ofItem(record["payload"], at);
  if (isObject(record["message"])) return ofMessage(record, record["message"], at);
  return ofPlain(record, at);
}

/** Most of a transcript is the output of tools: what cannot matter is not decoded. */
const isWorthReading = (line: string): boolean =>
  line.length < 20_000 || mayHaveTags(line) || FAILED.test(line.slice(0, 4000) + line.slice(-2000));

const FAILED = /"is_error":true|exited with code [1-9]|"status":"failed"|"tool_use"/;

const timeOf = (record: Fields): string => {
  const written = record["timestamp"] ?? record["created_at"] ?? record["time"];
  const time = new Date(typeof written === "number" ? written : scalarText(written));
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
};

/** Lines with a `message` that has a role and content: text, or blocks. */
function ofMessage(record: Fields, message: Fields, at: string): Turn[] {
  // Summaries of a compaction, what hooks added and what subagents were told is nobody's word.
  if (["isMeta", "isCompactSummary", "isSidechain"].some((key) => record[key] === true)) return [];
  return ofContent(scalarText(message["role"] ?? record["type"]), message["content"], at);
}

/** Lines with a `payload` that is an item: a message, a call, or the output of a call. */
function ofItem(item: Fields, at: string): Turn[] {
  const type = scalarText(item["type"]);
  const id = scalarText(item["call_id"]);
  if (type === "message") return ofContent(scalarText(item["role"]), item["content"], at);
  if (type === "function_call" || type === "custom_tool_call") {
    const input = item["arguments"] ?? item["input"];
    const fields = typeof input === "string" ? parseObject(input) : isObject(input) ? input : {};
    const whole = Object.keys(fields).length > 0 ? fields : { command: scalarText(input) };
    return [{ type: "called", id, tool: scalarText(item["name"]), input: whole, at }];
  }
  if (!type.endsWith("_call_output")) return [];
  const output = outputText(item["output"]);
  const failed = saysFailed(output) ? [{ type: "failed" as const, id, text: output, at }] : [];
  return [...failed, ...printed(stringsIn(item["output"]))];
}

const printed = (text: string): Turn[] => (mayHaveTags(text) ? [{ type: "printed", text }] : []);

/** Every text inside, whatever its shape, as deep as anybody nests on purpose. */
function stringsIn(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 20) return "";
  return Object.values(value)
    .map((one) => stringsIn(one, depth + 1))
    .join("\n");
}

const outputText = (output: unknown): string =>
  isObject(output) ? scalarText(output["content"] ?? output["output"]) : scalarText(output);

/** Anything else with a role and a text. */
function ofPlain(record: Fields, at: string): Turn[] {
  const role = scalarText(record["role"] ?? record["type"] ?? record["author"]);
  const content = record["content"] ?? record["text"] ?? record["parts"];
  const isOutput = [role, scalarText(record["type"])].some((name) => OUTPUT.test(name));
  return isOutput ? printed(stringsIn(content)) : ofContent(role, content, at);
}

const OUTPUT = /tool|function|result|output/i;

const SPEAKERS: Readonly<Record<string, "user" | "assistant">> = {
  user: "user",
  human: "user",
  assistant: "assistant",
  model: "assistant",
  gemini: "assistant",
};

function ofContent(role: string, content: unknown, at: string): Turn[] {
  const by = SPEAKERS[role];
  if (by === undefined) return [];
  const blocks = Array.isArray(content)
    ? content.filter(isObject)
    : [{ type: "text", text: content }];
  return blocks.flatMap((block): Turn[] => ofBlock(block, by, at));
}

function ofBlock(block: Fields, by: "user" | "assistant", at: string): Turn[] {
  const type = scalarText(block["type"]);
  if (type === "tool_use") {
    const input = isObject(block["input"]) ? block["input"] : {};
    const id = scalarText(block["id"]);
    return [{ type: "called", id, tool: scalarText(block["name"]), input, at }];
  }
  if (type === "tool_result") {
    const heard = printed(stringsIn(block["content"]));
    if (block["is_error"] !== true) return heard;
    const id = scalarText(block["tool_use_id"]);
    return [{ type: "failed", id, text: resultText(block["content"]), at }, ...heard];
  }
  const isText = type === "" || /^(?:text|input_text|output_text)$/.test(type);
  const text = isText ? ownWords(scalarText(block["text"])) : "";
  return text === "" ? [] : [{ type: "said", by, text, at }];
}

const resultText = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .filter(isObject)
        .map((one) => scalarText(one["text"]))
        .join("\n")
    : scalarText(content);
