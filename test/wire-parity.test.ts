import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Adapter, Tool } from "../src/adapters/_contract.ts";
import { canonicalPayload } from "../src/dispatch/canonical.ts";
import { canonicalInput, nativeInput } from "../src/dispatch/input-keys.ts";
import { bytesOf } from "../src/dispatch/raw.ts";
import { awk, AWKS } from "./_awk.ts";

/** shell/wire.awk against canonical.ts and input-keys.ts, on payloads that nobody would send. */

const shell: Tool = {
  names: ["Bash"],
  input: {
    "list[].command/note+args": "command",
    "command+args[]": "command",
    cmd: "command",
    "[].command+args": "command",
  },
};
const read: Tool = {
  names: ["Read"],
  input: { path: "file_path", "list[].path/note": "file_path" },
};
const adapter = {
  id: "made-up",
  wire: {
    fields: {
      session_id: ["id", "deep.id"],
      tool_name: ["call.name", "tool_name"],
      tool_input: ["call.input", "tool_input"],
      cwd: ["roots.0"],
    },
    mcp: { server: "mcp.server", tool: "mcp.tool" },
  },
  tools: { shell, read },
} as unknown as Adapter;

/** They work on bytes. */
const text8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
const forth = (one: string, facts: Tool): string =>
  text8(canonicalInput(bytesOf(one), facts.input));
const back = (next: string, was: string, facts: Tool): string =>
  text8(nativeInput(bytesOf(next), bytesOf(was), facts.input));

const keys = (tool: Tool): string =>
  Object.entries(tool.input!)
    .map(([from, to]) => `${from}=${to}`)
    .join(",");

const FACTS = `E_event = "PreToolUse"; F_wire = 1; F_mcp_server = "mcp.server"; F_mcp_tool = "mcp.tool"
F_tool["shell"] = "Bash"; F_tool["read"] = "Read"; F_input["shell"] = "${keys(shell)}"; F_input["read"] = "${keys(read)}"
F_fields = 4; F_order[1] = "session_id"; F_order[2] = "tool_name"; F_order[3] = "tool_input"; F_order[4] = "cwd"
F_field["session_id"] = "id|deep.id"; F_field["tool_name"] = "call.name|tool_name"; F_field["tool_input"] = "call.input|tool_input"; F_field["cwd"] = "roots.0"
`;

const LIBRARIES = ["json.awk", "members.awk", "facts.awk", "wire.awk", "wire-back.awk"];

const text = fc.constantFrom("ls", "a\nb", "c:\\new", 'say "x"', "ü", "", " ");
const element = fc.oneof(
  text,
  fc.record({ command: text, args: fc.array(text, { maxLength: 2 }) }),
  fc.record({ note: text, path: text, line: fc.integer() }),
  fc.record({ args: fc.array(text, { maxLength: 2 }), note: text, command: text }),
  fc.array(text, { maxLength: 2 }),
  fc.integer(),
);
const value = fc.oneof(
  text,
  fc.array(element, { maxLength: 3 }),
  fc.constant(null),
  fc.record({ command: text }),
);
const object = fc.dictionary(
  fc.constantFrom(
    ..."list cmd command args path file_path native_file_path".split(" "),
    'é"x',
    "dot.ted",
    "",
  ),
  value,
  { maxKeys: 4 },
);
const input = fc.oneof(
  object,
  object.map((one) => JSON.stringify(one)),
  object.map((one) => ` ${JSON.stringify(one, null, 1)}\n`),
  fc.constantFrom('{}, "x": {}', "{1}", '{"i":{}},"i":{}', "[]", "{}"),
  fc.array(element, { maxLength: 3 }),
  text,
);
const tool = fc.constantFrom("shell", "read", "other", 'x"y', "");
const payload = fc
  .record(
    {
      id: fc.oneof(text, fc.constant(null)),
      deep: fc.record({ id: text }),
      call: fc.record({ name: tool, input }, { requiredKeys: [] }),
      tool_name: tool,
      tool_input: input,
      roots: fc.array(text, { maxLength: 2 }),
      cwd: text,
      hook_event_name: text,
      mcp: fc.record({ server: text, tool: text }),
      "odd.key": value,
    },
    { requiredKeys: [] },
  )
  .map((one) => JSON.stringify(one, null, 1));

describe.each(AWKS)("%s", (name) => {
  test("makes the same canonical payload", () => {
    const natives = fc.sample(payload, { numRuns: 400, seed: 11 });
    const got = awk(
      name,
      LIBRARIES,
      `${FACTS} payload = text; json_parse(payload); wire_read(); print json_quote(payload)`,
      natives,
    );
    const want = natives.map((one) =>
      canonicalPayload(adapter, "PreToolUse", Buffer.from(one)).toString(),
    );
    expect(got).toEqual(want);
    for (const one of want) expect(() => JSON.parse(one) as unknown).not.toThrow();
    expect(want.filter((one) => one.includes('"tool_name":"Bash"')).length).toBeGreaterThan(20);
  });

  test.each([
    ["shell", shell],
    ["read", read],
  ] as const)("takes an input of %s the same way back", (key, facts) => {
    const pairs = fc
      .sample(fc.tuple(input, input), { numRuns: 300, seed: 12 })
      .map(([a, b]) => [JSON.stringify(a), forth(JSON.stringify(b), facts)] as const);
    const got = awk(
      name,
      LIBRARIES,
      `${FACTS} i = index(text, "\\002"); native = "{\\"tool_input\\":" substr(text, 1, i - 1) "}"; json_parse(native)
       print json_quote(wire_native_input(substr(text, i + 1), native, "tool_input", F_input["${key}"]))`,
      pairs.map(([a, b]) => `${a}\u0002${b}`),
    );
    expect(got).toEqual(pairs.map(([a, b]) => back(b, a, facts)));
  });
});

test("an input that nobody changed comes back as it was sent, a text with an object as the object", () => {
  const inputs = fc.sample(input, { numRuns: 500, seed: 13 }).map((one) => JSON.stringify(one));
  const isWrapped = (one: string): boolean => /^" ?\{/.test(one);
  for (const facts of [shell, read])
    for (const one of inputs.filter((each) => !isWrapped(each)))
      expect(back(forth(one, facts), one, facts)).toBe(one);
  const wrapped = fc.sample(object, { numRuns: 200, seed: 14 });
  for (const one of wrapped) {
    const sent = JSON.stringify(` ${JSON.stringify(one)}\n`);
    expect(JSON.parse(back(forth(sent, read), sent, read))).toEqual(one);
  }
});

test.each(AWKS)("%s compares only numbers that are written as Node writes them", (name) => {
  const numbers = "0 1 -1 -0 10 1.0 1e0 1E2 2.5 -2.50 0.1 0.000001 0.0000001 1e21 12345678901234567"
    .split(" ")
    .concat("123456789.12345 999999999999999 1.5e3 -0.5 -0.0".split(" "));
  const got = awk(name, ["json.awk"], 'print "\\"" json_plain(text) "\\""', numbers);
  const taken = numbers.filter((_, at) => got[at] === "1");
  expect(taken).toEqual(
    "0 1 -1 10 2.5 0.1 0.000001 123456789.12345 999999999999999 -0.5".split(" "),
  );
  expect(taken.map((one) => String(JSON.parse(one)))).toEqual(taken);
});
