import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Scenario {
  readonly name: string;
  readonly argv?: readonly string[];
  /** Started together, as a harness starts its native hooks. */
  readonly parallel?: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly input: string;
  readonly exit: number;
}

const QUIET = "#!/bin/sh\nexit 0\n";

export function makeScenarios(
  root: string,
  inherited: boolean,
): { scenarios: Scenario[]; close: () => void } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "anyhook-bench-")));
  const env = {
    ...(inherited ? (process.env as Record<string, string>) : {}),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(base, "home"),
    ANYHOOK_MANAGED_ROOT: join(base, "etc"),
  };
  mkdirSync(env.HOME);
  const put = (path: string, text: string): string => {
    const file = join(base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith("#!")) chmodSync(file, 0o755);
    return file;
  };
  const script = (name: string, head: string, body: string): string =>
    `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\n${head}${body}\n`;
  const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const dispatcher = join(root, "shell/dispatch.sh");

  const event = (
    name: string,
    files: Record<string, string>,
    exit = 0,
    at = "PreToolUse",
  ): Scenario => {
    const cwd = join(base, name.replace(/\W+/g, "-"));
    mkdirSync(join(cwd, ".anyhook"), { recursive: true });
    for (const [path, text] of Object.entries(files))
      put(join(cwd.slice(base.length + 1), path), text);
    const made = spawnSync(
      process.execPath,
      [join(root, "dist/cli.js"), "materialize", "--quiet"],
      { cwd, env, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(made.stderr);
    return {
      name,
      argv: [dispatcher, "claude-code", at],
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: cwd },
      input: payload(cwd),
      exit,
    };
  };
  // Three ways not to match, as real projects have them: another event, another tool, another command.
  const others = (n: number): Record<string, string> =>
    Object.fromEntries(
      numbers(n).map((i) => {
        const head = [
          `# Matcher: tool_name = "Read"\n`,
          `# Matcher: tool_name = "Bash" and tool_input.command ~ "push.*--force${i}"\n`,
          "",
        ][i % 3]!;
        const text = script(`h${i}`, head, "exit 2");
        return [`.anyhook/hooks/h${i}.sh`, i % 3 === 2 ? text.replace("PreToolUse", "Stop") : text];
      }),
    );
  const ten = (body: string): Record<string, string> =>
    Object.fromEntries(
      numbers(10).map((i) => [`.anyhook/hooks/h${i}.sh`, script(`h${i}`, "", body)]),
    );
  const modules = (n: number): Record<string, string> =>
    Object.fromEntries(
      numbers(n).map((i) => [
        `.anyhook/hooks/m${i}.ts`,
        `import { defineHook } from "anyhook";\nexport default defineHook({ name: "m${i}", event: "PreToolUse", run(event) { if (event.tool_name === "x") return "y"; } });\n`,
      ]),
    );

  // A check that takes its time, as a linter does, and its cost to the one who waits.
  const audit = (head: string): Record<string, string> => ({
    ".anyhook/hooks/a.sh": script("a", head, "sleep 0.05").replace("PreToolUse", "PostToolUse"),
  });
  /** Through the very text that install puts into a harness's settings. */
  const installed = (name: string, like: Scenario): Scenario => {
    const words = ["install", "--harness", "claude", "--yes"];
    const made = spawnSync(process.execPath, [join(root, "dist/cli.js"), ...words], {
      cwd: base,
      env,
    });
    if (made.status !== 0) throw new Error(made.stderr.toString());
    const file = join(env.HOME, ".claude/settings.json");
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as Settings;
    const { command } = hooks["PreToolUse"]![0]!.hooks[0]!;
    return { ...like, name, argv: ["sh", "-c", command] };
  };

  const bare = put("bare.sh", QUIET);
  const scripts = numbers(10).map((i) => put(`loop/${i}.sh`, QUIET));
  const loop = put("loop.sh", `#!/bin/sh\nfor f in ${join(base, "loop")}/*.sh; do "$f"; done\n`);
  const nodeHook = put("native.mjs", "process.stdin.resume();\n");
  const empty = put("empty.mjs", "");
  const plain = { cwd: base, env, input: payload(base), exit: 0 };

  const quiet = event("quiet event, 10 hooks", others(10));
  const scenarios: Scenario[] = [
    { name: "bare sh", argv: [bare], ...plain },
    { name: "bare node", argv: [process.execPath, empty], ...plain },
    quiet,
    installed("quiet event, 10 hooks, as installed", quiet),
    {
      ...quiet,
      name: "quiet event, 10 hooks, from a bare sh -c",
      argv: ["sh", "-c", `${dispatcher} claude-code PreToolUse`],
    },
    event("quiet event, 100 hooks", others(100)),
    event("quiet event, 1000 hooks", others(1000)),
    event("one silent sh hook", { ".anyhook/hooks/a.sh": script("a", "", "exit 0") }),
    { name: "plain sh loop over the ten", argv: [loop], ...plain },
    event("ten silent sh hooks", ten("exit 0")),
    {
      name: "natively: ten sh hooks in parallel",
      parallel: scripts.map((file) => ["bash", "-c", file]),
      ...plain,
    },
    event(
      "denial by JSON",
      { ".anyhook/hooks/a.sh": script("a", "", `printf '{"decision":"block","reason":"no"}'`) },
      2,
    ),
    event("one TypeScript hook", modules(1)),
    event("ten TypeScript hooks", modules(10)),
    {
      name: "natively: ten node hooks in parallel",
      parallel: numbers(10).map(() => ["bash", "-c", `${process.execPath} ${nodeHook}`]),
      ...plain,
    },
    event("PostToolUse, a check of 50 ms", audit(""), 0, "PostToolUse"),
    event("PostToolUse, the same check, async", audit("# Async: true\n"), 0, "PostToolUse"),
  ];
  return { scenarios, close: () => rmSync(base, { recursive: true, force: true }) };
}

interface Settings {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

const payload = (cwd: string): string =>
  `${JSON.stringify({ session_id: "b9832daf-ca1c-4f64-a554-59583a718704", transcript_path: "/home/dev/.claude/projects/-home-dev-shop/b9832daf.jsonl", cwd, prompt_id: "c667774f-8802-4618-9165-955a52d944b6", permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push origin main", description: "push" }, tool_use_id: "toolu_0004_0" })}\n`;
