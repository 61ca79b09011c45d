/** Payloads and hooks that nobody would write, from a seed: the same ones at every run. */

export interface Dice {
  below(n: number): number;
  chance(p: number): boolean;
  pick<T>(all: readonly T[]): T;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, chance: (p) => next() < p, pick: (all) => all[below(all.length)]! };
}

/** Contents of JSON strings, escaped. */
const TEXTS = [
  ...["", "ls", "git push --force", "ü€😀", "a\\nb", '\\"', "b\\\\s", "\\u0001", "\\ud800", "\\/"],
  ...["\\ud83d\\ude00", "$HOME $(id)", "'", "a|b&c=%41", "{file}", "../x", "./a/../.env", "a//b/"],
  ...["__proto__", "x\\u0000y", "</anyhook-context>", "token=abcdef", "*** Add File: .env\\n"],
];
const NUMBERS = [
  "0",
  "-0",
  "22",
  "22.0",
  "1e5",
  "1E+2",
  "0.10",
  "1e-7",
  "123456789012345678",
  "1e400",
];
const KEYS = [
  ...["command", "file_path", "path", "content", "a", "a.b", "", "__proto__", "n", "args", "cmd"],
  ...["commands", "files", "k\\u0065y", "ü", "\\u00fc", "\\u20ac", "\\ud800", "0", "filePath"],
];

function value(d: Dice, depth: number): string {
  const kind = d.below(depth > 0 ? 10 : 7);
  if (kind < 4) return `"${d.pick(TEXTS)}"`;
  if (kind < 6) return d.pick(NUMBERS);
  if (kind < 7) return d.pick(["true", "false", "null"]);
  const parts = Array.from({ length: d.below(4) }, () => value(d, depth - 1));
  if (kind === 7) return `[${parts.join(",")}]`;
  return `{${parts.map((part) => `"${d.pick(KEYS)}":${part}`).join(",")}}`;
}

/** A real payload with some members replaced, added, taken away, or its bytes spoilt. */
export function oddPayload(d: Dice, text: string, tools: readonly string[]): Buffer {
  const members = Object.entries(JSON.parse(text) as object).map(([key, one]): [string, string] => [
    JSON.stringify(key),
    JSON.stringify(one),
  ]);
  for (let i = d.below(4); i > 0; i--) {
    const at = d.below(members.length);
    const way = d.below(10);
    if (way < 4) members[at]![1] = value(d, 3);
    else if (way < 6) members.push([`"${d.pick([...KEYS, "tool_input", "cwd"])}"`, value(d, 3)]);
    else if (way < 7 && members.length > 1) members.splice(at, 1);
    else if (members[at]![1].endsWith('"}'))
      members[at]![1] = `${members[at]![1].slice(0, -1)},"${d.pick(KEYS)}":${value(d, 2)}}`;
    else members.push(['"tool_name"', JSON.stringify(d.pick(tools))]);
  }
  const bytes = Buffer.from(
    `{${members.map((pair) => pair.join(d.pick([":", " :\n"]))).join(",")}}\n`,
  );
  return spoilt(d, bytes);
}

function spoilt(d: Dice, bytes: Buffer): Buffer {
  const at = d.below(bytes.length);
  if (d.chance(0.05)) return bytes.subarray(0, at);
  if (d.chance(0.05))
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xe2, 0x82]), bytes.subarray(at)]);
  return d.chance(0.03) ? Buffer.concat([bytes, Buffer.from("]")]) : bytes;
}

const SAID = [
  ...["", "hello", "{}", "[1]", '{"data":1}', '{"decision":"blok"}', '{"decision":1}', "\\303("],
  ...['{"decision":"block","reason":"no ü"}', '{"decision":"ask"}', '{"decision":"allow"}'],
  ...[
    '{"continue":false,"stopReason":"halt"}',
    '{"context":"a\\\\u0001\\\\ud800"}',
    '{"reason":"x"}',
  ],
  ...['{"systemMessage":"note"}', '{"rewrite":{"command":"1.0","x":22.0,"\\\\u00fc":1,"ü":2}}'],
  ...[
    '{"rewrite":{"file_path":"b","a.b":null}}',
    '{"hookSpecificOutput":{"updatedInput":{"a":1}}}',
  ],
  ...['{"decision":"block","reason":"a","decision":"allow"}', '{"__proto__":{"decision":"block"}}'],
];
const WHEN = [
  ...['tool_name = "Bash|Write|Edit"', 'tool_name ~ "^mcp__"', 'tool_input.command ~ "push"'],
  ...['tool_input.n = "22"', 'paths ~ "env$"', 'session_id ~ "."', 'tool_input.a ~ "."'],
];
const HOLES = [
  "{file}",
  "{args}",
  "{tool_input.command}",
  "{tool_input.n}",
  "{session_id}",
  "{cwd}",
];

/** Each notes what it was given: the lanes must agree on that as well. */
export function oddHooks(d: Dice, events: readonly string[]): string {
  const entries = Array.from({ length: 1 + d.below(3) }, (_, i) => ({
    name: `h${i}`,
    events,
    order: d.below(2),
    command: `{ env | grep ^ANYHOOK_ | grep -v '_\\(LIB\\|LANE\\|RUN\\)=' | sort; cat; printf '%s|' ${d.pick(HOLES)}; } >>seen; printf '${d.pick(SAID)}'; exit ${d.pick([0, 0, 0, 1, 2])}`,
    ...(d.chance(0.6) ? { block: true } : {}),
    ...(d.chance(0.3) ? { on_failure: d.pick(["block", "warn"]) } : {}),
    ...(d.chance(0.2) ? { chain: "first-block" } : {}),
    ...(d.chance(0.5) ? { matcher: d.pick(WHEN) } : {}),
    ...(d.chance(0.2) ? { payload: "native" } : {}),
  }));
  return `hooks:\n${entries.map((entry) => `  - ${JSON.stringify(entry)}\n`).join("")}`;
}
