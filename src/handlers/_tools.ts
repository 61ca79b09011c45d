import { isObject } from "../dispatch/occurrence.ts";
import { redact } from "../dispatch/redact.ts";
import { type Bounds, grepTool, listFilesTool, readFileTool } from "./_files.ts";
import { gitDiffTool } from "./_git.ts";
import type { ToolCall, ToolResult, ToolSpec } from "./_provider.ts";
import { Failure } from "./_settled.ts";
import { cut } from "./_verdict.ts";

interface Tool {
  readonly about: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly run: (input: Record<string, unknown>, bounds: Bounds) => string | Promise<string>;
}

const text = (description: string): object => ({ type: "string", description });
const flag = (description: string): object => ({ type: "boolean", description });
const path = text("Relative to the project's root");

/** All that an agent can do: look. */
const TOOLS = {
  read_file: {
    about: "Reads a text file, with line numbers, up to 400 lines at a time.",
    properties: { path, from: { type: "integer", description: "First line; 1 when left out" } },
    required: ["path"],
    run: readFileTool,
  },
  list_files: {
    about: "Lists a folder. Folders end in /, links in @.",
    properties: { path, recursive: flag("Also what is below") },
    required: [],
    run: listFilesTool,
  },
  grep: {
    about: "Finds a text (no pattern) in the files of a folder or in one file.",
    properties: { text: text("What to find"), path, ignore_case: flag("Aa is aA") },
    required: ["text"],
    run: grepTool,
  },
  git_diff: {
    about: "Shows what changed in the work tree, or in the index, since a commit.",
    properties: {
      base: text("Commit or branch to compare with; the index when left out"),
      staged: flag("Look at what is staged"),
      path,
    },
    required: [],
    run: gitDiffTool,
  },
} as const satisfies Record<string, Tool>;

export const TOOL_SPECS: readonly ToolSpec[] = Object.entries(TOOLS).map(([name, tool]) => ({
  name,
  about: tool.about,
  input: {
    type: "object",
    properties: tool.properties,
    required: tool.required,
    additionalProperties: false,
  },
}));

export interface Called extends ToolResult {
  /** One line for the trace. */
  readonly line: string;
}

/** What a tool refuses is told to the model, which may try something else. */
export async function callTool({ id, name, input }: ToolCall, bounds: Bounds): Promise<Called> {
  const given = isObject(input) ? input : {};
  const shown = `${name} ${cut(redact(JSON.stringify(given)), 150)}`;
  const tool: Tool | undefined = Object.hasOwn(TOOLS, name)
    ? TOOLS[name as keyof typeof TOOLS]
    : undefined;
  try {
    if (!tool) throw new Failure("there is no such tool");
    const said = await tool.run(given, bounds);
    return { id, text: said, failed: false, line: `${shown}: ${sizeOf(said)}` };
  } catch (error) {
    const why = messageOf(error);
    return { id, text: why, failed: true, line: `${shown}: refused: ${why}` };
  }
}

const sizeOf = (said: string): string => {
  const lines = said.split("\n").length;
  return lines === 1 ? cut(said, 60) : `${lines} lines`;
};

/** The system's own messages name absolute paths. */
function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const code = isObject(error) ? error["code"] : undefined;
  return typeof code === "string" ? code : "failed";
}
