import type { Tool, Wire } from "../adapters/_contract.ts";
import { nativeInput } from "../dispatch/input-keys.ts";
import type { Call } from "./_call.ts";
import type { At } from "./_surface.ts";

type Members = Record<string, unknown>;

/** A payload from the options that describe a call, in the shape that the harness would send. */
export function madeUp(call: Call, { adapter, surface }: At): Members {
  const [command, file, prompt] = [call.text("command"), call.text("file"), call.text("prompt")];
  const tool =
    call.text("tool") ?? (command !== undefined ? "Bash" : file !== undefined ? "Edit" : undefined);
  const base = {
    session_id: "simulated",
    transcript_path: "",
    cwd: call.from,
    hook_event_name: surface.native,
    ...(prompt === undefined ? {} : { prompt }),
  };
  if (tool === undefined) return nativeShape(base, adapter.wire);
  const [native, facts] = nativeTool(adapter, tool);
  const input = {
    ...(command === undefined ? {} : { command }),
    ...(file === undefined ? {} : fileInput(facts, file)),
  };
  return nativeShape(
    {
      ...base,
      tool_name: native,
      tool_input: JSON.parse(nativeInput(JSON.stringify(input), "{}", facts?.input)) as unknown,
      tool_use_id: `simulated-${Date.now().toString(36)}`,
    },
    adapter.wire,
  );
}

/** Each member where the harness keeps it. */
function nativeShape(members: Members, wire: Wire | undefined): Members {
  const shape: Members = {};
  for (const [name, value] of Object.entries(members)) {
    const path = wire && Object.hasOwn(wire.fields, name) ? wire.fields[name]![0]! : name;
    put(shape, path.split("?")[0]!.split("."), value);
  }
  return shape;
}

function put(holder: Members, [key, ...rest]: readonly string[], value: unknown): void {
  if (key === undefined) return;
  if (rest.length === 0) holder[key] = value;
  else put((holder[key] ??= /^\d+$/.test(rest[0]!) ? [] : {}) as Members, rest, value);
}

/** What the harness calls a tool that the person named in our words. */
function nativeTool({ tools, wire }: At["adapter"], name: string): [string, Tool | undefined] {
  if (Object.hasOwn(tools, name)) return [name, tools[name]];
  const known = Object.entries(tools).find(
    ([, facts]) => facts.names.includes(name) && (wire ?? facts.patch ?? facts.paths),
  );
  return known ?? [name, undefined];
}

function fileInput(facts: Tool | undefined, file: string): Record<string, string> {
  if (facts?.patch)
    return { [facts.patch]: `*** Begin Patch\n*** Update File: ${file}\n*** End Patch\n` };
  return { [facts?.paths?.[0]?.replace("[]", "") ?? "file_path"]: file };
}
