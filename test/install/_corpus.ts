/** Settings files as people have them. Each but the empty ones says `opus` once, for a later edit. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  /** Only where the harness reads comments and trailing commas. */
  readonly jsonc?: true;
}

const two = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const foreign = (command: string, matcher = "Bash"): unknown => ({
  matcher,
  hooks: [{ type: "command", command }],
});
const MODEL = { model: "opus" };
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
const PLAIN = two({ ...MODEL, permissions: { allow: ["Bash"], deny: [] } });
const HOOKED = two({ hooks: { PreToolUse: [foreign("./guard.sh")], Stop: [] }, ...MODEL });

/** Commands that look like ours and are not. */
export const LOOK_ALIKES = [
  "anyhook",
  "anyhook dispatch claude-code PreToolUse",
  "/home/me/.local/state/anyhook/bin/dispatch",
  "/opt/bin/dispatch claude-code PreToolUse",
  "[ -x '/opt/bin/dispatch' ] && exec '/opt/bin/dispatch' claude-code PreToolUse; exit 1",
  "[ -x '/a/bin/dispatch' ] && exec '/b/bin/dispatch' claude-code PreToolUse; exit 0",
  "[ -x '/opt/bin/dispatch' ] && exec '/opt/bin/dispatch' claude-code Stop; exit 0",
  "[ -x '/opt/bin/dispatch' ] && exec '/opt/bin/dispatch' claude-code PreToolUse; exit 0 ",
  "echo [ -x '/opt/bin/dispatch' ] && exec '/opt/bin/dispatch' claude-code PreToolUse; exit 0",
  "sh -c 'exit 0' anyhook claude-code PreToolUse",
  "'/somewhere/shell/dispatch.sh' claude-code PreToolUse",
] as const;

const JSON_SAMPLES: readonly Sample[] = [
  { name: "empty", text: "" },
  { name: "white space", text: " \n\t\n" },
  { name: "empty object", text: "{}" },
  { name: "empty object and newline", text: "{}\n" },
  { name: "empty object over lines", text: "{\n}\n" },
  { name: "two spaces", text: PLAIN },
  { name: "four spaces", text: JSON.stringify({ ...MODEL, env: { A: "1" } }, null, 4) },
  { name: "tabs", text: `${JSON.stringify({ ...MODEL, env: {} }, null, "\t")}\n` },
  { name: "three spaces", text: `{\n   "model": "opus",\n   "env": {\n      "A": "1"\n   }\n}\n` },
  { name: "no newline at the end", text: PLAIN.trimEnd() },
  { name: "many newlines at the end", text: `${PLAIN}\n\n` },
  { name: "newlines at the start", text: `\n\n${PLAIN}` },
  { name: "CRLF", text: crlf(PLAIN) },
  { name: "CRLF with hooks", text: crlf(HOOKED) },
  { name: "CR alone", text: HOOKED.replaceAll("\n", "\r") },
  { name: "mixed line ends", text: HOOKED.replace("\n", "\r\n").replace(/\n$/, "\r") },
  { name: "half a surrogate pair", text: '{\n  "model": "opus",\n  "x": "\\ud800 \\udc00"\n}\n' },
  { name: "byte order mark", text: `\uFEFF${PLAIN}` },
  { name: "byte order mark and CRLF", text: `\uFEFF${crlf(HOOKED)}` },
  { name: "one line", text: '{"model":"opus","env":{"A":"1"}}' },
  { name: "one line with hooks", text: '{"model":"opus","hooks":{"Stop":[]}}\n' },
  { name: "one spaced line", text: '{ "model": "opus", "hooks": { "PreToolUse": [] } }\n' },
  { name: "hooks of others", text: HOOKED },
  { name: "empty hooks", text: two({ ...MODEL, hooks: {} }) },
  { name: "empty hooks over lines", text: '{\n  "model": "opus",\n  "hooks": {\n  }\n}\n' },
  { name: "an empty list", text: two({ hooks: { PreToolUse: [], Stop: [] }, ...MODEL }) },
  { name: "hooks first", text: two({ hooks: { Stop: [foreign("a", "")] }, z: 1, ...MODEL }) },
  {
    name: "hooks of others at every event",
    text: two({
      ...MODEL,
      hooks: Object.fromEntries(
        ["SessionStart", "PreToolUse", "PostToolUse", "Stop"].map((event) => [
          event,
          [foreign("one"), foreign("two", "*")],
        ]),
      ),
    }),
  },
  {
    name: "entries in one line each",
    text: `{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "x" }] }],\n    "Stop": [ ]\n  }\n}\n`,
  },
  {
    name: "look-alikes",
    text: two({ ...MODEL, hooks: { PreToolUse: LOOK_ALIKES.map((one) => foreign(one)) } }),
  },
  {
    name: "look-alikes in one entry",
    text: two({
      ...MODEL,
      hooks: {
        PreToolUse: [
          { hooks: LOOK_ALIKES.map((command) => ({ type: "command", command, timeout: 600 })) },
        ],
      },
    }),
  },
  {
    name: "our name in other places",
    text: two({ ...MODEL, anyhook: { hooks: { PreToolUse: ["anyhook"] } }, env: { X: "anyhook" } }),
  },
  { name: "unknown events", text: two({ ...MODEL, hooks: { Someday: [foreign("x")] } }) },
  {
    name: "other kinds of entries",
    text: two({ ...MODEL, hooks: { Stop: ["odd", null, 3, []] } }),
  },
  {
    name: "unicode and escapes",
    text: '{\n  "naïve ☕": "\\u00e9\\n\\"opus\\"",\n  "𝕏": "𝒳"\n}\n',
  },
  { name: "odd keys", text: two({ "": 1, "a.b": 2, constructor: 3, ...MODEL }) },
  { name: "a key twice, elsewhere", text: '{\n  "a": 1,\n  "a": 2,\n  "model": "opus"\n}\n' },
  { name: "large numbers", text: '{\n  "n": 12345678901234567890.10,\n  "model": "opus"\n}\n' },
  { name: "comma first", text: '{ "model": "opus"\n, "env": {}\n, "x": 1\n}\n' },
  {
    name: "brace on its own line",
    text: '{\n  "model": "opus",\n  "hooks":\n  {\n    "Stop":\n    [\n    ]\n  }\n}\n',
  },
  { name: "deep", text: two({ ...MODEL, a: { b: { c: { d: { e: [[[[1]]]] } } } } }) },
  {
    name: "huge",
    text: two({
      ...MODEL,
      history: Array.from({ length: 60_000 }, (_, i) => ({ id: i, text: "x".repeat(150) })),
    }),
  },
];

const JSONC_SAMPLES: readonly Sample[] = [
  ["comment above", '// mine\n{\n  // the model\n  "model": "opus"\n}\n'],
  ["comment behind the last member", '{\n  "model": "opus" // the best\n}\n'],
  ["comment behind a last object", '{\n  "model": "opus",\n  "env": {} /* none */\n}\n'],
  ["comment at the end", '{\n  "model": "opus"\n  // to do: hooks\n}\n// end\n'],
  ["trailing comma", '{\n  "model": "opus",\n}\n'],
  ["trailing comma and comment", '{\n  "model": "opus", // keep\n  // more\n}\n'],
  [
    "trailing commas in hooks",
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [], },\n    ],\n  },\n  "model": "opus",\n}\n',
  ],
  [
    "comments in hooks",
    '{\n  "hooks": {\n    // before a tool\n    "PreToolUse": [\n      // guard\n      { "hooks": [{ "type": "command", "command": "x" }] } // really\n    ]\n    /* none at the end */\n  },\n  "model": "opus"\n}\n',
  ],
  ["only a comment in hooks", '{\n  "model": "opus",\n  "hooks": {\n    // nothing yet\n  }\n}\n'],
  ["comment with a brace", '{\n  "model": "opus" /* } , { */\n}\n'],
  ["CRLF with comments", crlf('{\n  // note\n  "model": "opus", // x\n  "hooks": {} // y\n}\n')],
].map(([name, text]) => ({ name: name!, text: text!, jsonc: true }) as const);

export const CORPUS: readonly Sample[] = [...JSON_SAMPLES, ...JSONC_SAMPLES];
