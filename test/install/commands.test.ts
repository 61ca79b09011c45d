import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { type Adapter, nativeEvents } from "../../src/adapters/_contract.ts";
import { type Call, type Json, type Scope } from "../../src/adapters/_settings.ts";
import { layoutOf } from "../../src/dispatch/layout.ts";
import { editorOf } from "../../src/install/editors.ts";
import { shimOf } from "../../src/install/site.ts";
import { callsOf, quote } from "../../src/install/stanza.ts";
import { rendered } from "../../src/install/own-files.ts";
import { readLedger, REPO } from "../_dispatch.ts";
import { adapterWith, installOne, type Machine, makeMachine, put, settingsFile } from "./_site.ts";

let machine: Machine;
beforeEach(() => {
  machine = makeMachine();
  const hook = "#!/bin/sh\n# Hook: note\n# Event: PreToolUse\nexit 0\n";
  chmodSync(put(join(machine.root, ".anyhook/hooks/note.sh"), hook), 0o755);
});
afterEach(() => machine.remove());

/** What the harness finds in its own file for this call, as text for a shell. */
function writtenCommand(adapter: Adapter, call: Call, scope: Scope): string {
  const file = settingsFile(adapter, machine.site, scope);
  const { at, commands } = adapter.settings;
  if (adapter.settings.render) return inOwnFile(adapter, call, scope);
  const text = readFileSync(file, "utf8");
  const entries = editorOf(adapter, file).entries(text, at!(call.native));
  const found = entries.flatMap((entry: Json) => commands!(entry));
  const expected = commands!(adapter.settings.entry!(call)).map(({ command }) => command);
  const ours = found.map(({ command }) => command).filter((one) => expected.includes(one));
  expect(ours, `${adapter.id} ${call.native}`).toHaveLength(1);
  return ours[0]!;
}

/** A script is what the harness runs; anything else holds the command, letter by letter. */
function inOwnFile(adapter: Adapter, call: Call, scope: Scope): string {
  const files = Object.keys(rendered(adapter, machine.site, scope, [call]));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const script = texts.findIndex((text) => text.startsWith("#!"));
  if (script >= 0) return quote(files[script]!);
  expect(texts.join("\n")).toContain(JSON.stringify(call.command));
  return call.command;
}

function payloadFor(adapter: Adapter, { event, native }: Call): string {
  const folder = join(REPO, "test/fixtures", adapter.id, "payloads");
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const name = names.find((one) => one.startsWith(event) || one.startsWith(native));
  const root = JSON.stringify(machine.root).slice(1, -1);
  const text = name ? readFileSync(join(folder, name), "utf8") : `{"cwd":"/home/dev/shop"}`;
  return text.replaceAll("/home/dev/shop", root);
}

const run = (
  shell: readonly string[],
  command: string,
  input: string,
  env: Record<string, string> = machine.env,
  cwd = join(machine.root, "packages/web"),
): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(shell[0]!, [...shell.slice(1), "-c", command], {
    ...{ cwd, env, input, encoding: "utf8" },
  });
  return { status, stdout, stderr };
};

const ledger = (root = machine.root): { harness: string; event: string }[] =>
  readLedger(layoutOf(root, machine.env).ledger) as unknown as { harness: string; event: string }[];

const toolCall = (adapter: Adapter, scope: Scope): Call => {
  const calls = callsOf(adapter, scope, shimOf(machine.site));
  return calls.find(({ event }) => event === "PreToolUse") ?? calls[0]!;
};

/** Those that are here. */
const SHELLS = [["bash"], ["zsh"], ["busybox", "ash"], ["fish"]].filter(
  ([program]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

/** What the shell lane needs beside itself. */
const TOOLS =
  "sh awk find mkdir rm cat sleep readlink ln mv date cksum wc ps env sort xargs sed kill ls".split(
    " ",
  );

/** No harness with which a dead entry would deny everything may see anything but a pass. */
const QUIET = { status: 0, stdout: "", stderr: "" };

const scoped = ADAPTERS.flatMap((adapter) =>
  (["user", "project", "local"] as const)
    .filter((scope) => adapter.settings.files[scope] !== undefined)
    .map((scope) => [`${adapter.id}, ${scope}`, adapter, scope] as const),
);

describe.each(scoped)("%s", (_, adapter, scope) => {
  test("every command, as it stands in the file, reaches the dispatcher from a subfolder", async () => {
    expect((await installOne(adapter, machine.site, scope)).refusal).toBeUndefined();
    const calls = callsOf(adapter, scope, shimOf(machine.site));
    expect(calls.map(({ native }) => native)).toEqual([...nativeEvents(adapter).keys()]);
    for (const call of calls) {
      const before = ledger().length;
      const command = writtenCommand(adapter, call, scope);
      const { status, stderr } = run(["sh"], command, payloadFor(adapter, call));
      expect({ status, stderr }, command).toEqual({ status: 0, stderr: "" });
      // A prompt may be an echo, and a captured payload may be a sub-agent's.
      if (call.event === "UserPromptSubmit") continue;
      const [line, ...more] = ledger().slice(before);
      expect({ harness: line?.harness, more }, command).toEqual({ harness: adapter.id, more: [] });
      if (!line!.event.startsWith("Subagent")) expect(line!.event).toBe(call.event);
    }
  });

  test("the shim is gone: the session goes on, with one notice when it starts", async () => {
    await installOne(adapter, machine.site, scope);
    const bare = { PATH: "/usr/bin:/bin", HOME: machine.home };
    rmSync(machine.site.store, { recursive: true });
    const replies = callsOf(adapter, scope, shimOf(machine.site)).map((call) =>
      run(["sh"], writtenCommand(adapter, call, scope), "{}", bare),
    );
    expect(replies.filter(({ status }) => status !== 0)).toEqual([]);
    const loud = replies.filter(({ stdout, stderr }) => stdout + stderr !== "");
    expect(loud.length).toBeGreaterThanOrEqual(1);
    expect(loud.length).toBeLessThan(Math.max(2, replies.length));
    for (const { stdout, stderr } of loud) {
      expect(stdout + stderr).toContain("anyhook");
      if (stdout !== "") expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    }
  });
});

/** Shell text, one plain program, and what travels with a repository. */
const FORMS = [
  [adapterWith("claude-code"), "user"],
  [adapterWith("cursor"), "user"],
  [adapterWith("claude-code"), "project"],
] as const;

describe.each(FORMS)("$id, %s", (adapter, scope) => {
  test.each(SHELLS)("under %s", async (...shell) => {
    await installOne(adapter, machine.site, scope);
    const call = toolCall(adapter, scope);
    const reply = run(shell, writtenCommand(adapter, call, scope), payloadFor(adapter, call));
    expect(reply).toMatchObject({ status: 0, stderr: "" });
    expect(ledger()).toHaveLength(1);
  });
});

describe("the package", () => {
  const adapter = adapterWith("claude-code");
  const call = (): Call => toolCall(adapter, "user");
  const fire = (env = machine.env): ReturnType<typeof run> =>
    run(["sh"], writtenCommand(adapter, call(), "user"), payloadFor(adapter, call()), env);

  /** A copy that can be moved about; its packages are ours. */
  function copyPackage(to: string): string {
    for (const part of ["shell", "dist", "package.json"])
      cpSync(join(REPO, part), join(to, part), { recursive: true });
    symlinkSync(join(REPO, "node_modules"), join(to, "node_modules"));
    return to;
  }

  // Node itself cannot load a module from a folder with a backslash in its name.
  beforeEach(() => {
    machine.remove();
    machine = makeMachine(`it's a "dev" bo$x ü`);
    const hook = "#!/bin/sh\n# Hook: note\n# Event: PreToolUse\nexit 0\n";
    chmodSync(put(join(machine.root, ".anyhook/hooks/note.sh"), hook), 0o755);
  });

  const siteFor = (folder: string, node = machine.site.node) => ({
    ...machine.site,
    package: folder,
    node,
  });

  test("moved to where npm keeps it beside the node that installed: found, and remembered", async () => {
    const prefix = join(machine.base, "nvm/v22");
    mkdirSync(join(prefix, "bin"), { recursive: true });
    symlinkSync(process.execPath, join(prefix, "bin/node"));
    const old = copyPackage(join(machine.base, "old"));
    await installOne(adapter, siteFor(old, join(prefix, "bin/node")));
    const fresh = join(prefix, "lib/node_modules/anyhook");
    mkdirSync(join(prefix, "lib/node_modules"), { recursive: true });
    renameSync(old, fresh);
    expect(fire()).toEqual(QUIET);
    expect(readFileSync(`${shimOf(machine.site)}.moved`, "utf8")).toBe(
      `${fresh}/shell/dispatch.sh\n`,
    );
    expect(fire()).toEqual(QUIET);
    expect(ledger()).toHaveLength(2);
  });

  test("moved elsewhere: found through anyhook on PATH", async () => {
    const old = copyPackage(join(machine.base, "old"));
    await installOne(adapter, siteFor(old, "/nowhere/node"));
    const fresh = join(machine.base, "new");
    renameSync(old, fresh);
    const bin = join(machine.base, "bin");
    mkdirSync(bin);
    symlinkSync(join(fresh, "dist/cli.js"), join(bin, "anyhook"));
    expect(fire({ ...machine.env, PATH: `${bin}:${machine.env["PATH"]}` })).toEqual(QUIET);
    expect(ledger()).toHaveLength(1);
  });

  test("gone: no hook runs, nothing breaks, and a session is told once", async () => {
    await installOne(adapter, siteFor(copyPackage(join(machine.base, "old")), "/nowhere/node"));
    const bare = { PATH: "/usr/bin:/bin", HOME: machine.home };
    rmSync(join(machine.base, "old"), { recursive: true });
    expect(fire(bare)).toEqual(QUIET);
    const start = callsOf(adapter, "user", shimOf(machine.site)).find(
      ({ event }) => event === "SessionStart",
    )!;
    const said = run(["sh"], writtenCommand(adapter, start, "user"), "{}", bare);
    expect(said.status).toBe(0);
    expect(JSON.parse(said.stdout)).toEqual({
      systemMessage: expect.stringContaining("anyhook") as string,
    });
    expect(said.stderr).toContain("its package is gone");
  });

  test("the node that installed is used where PATH has none", async () => {
    const module = `export default { name: "m", event: "PreToolUse", run: () => ({ context: "from a module" }) };\n`;
    put(join(machine.root, ".anyhook/hooks/m.mjs"), module);
    await installOne(adapter, machine.site);
    const bin = join(machine.base, "no-node");
    mkdirSync(bin);
    for (const tool of TOOLS)
      symlinkSync(
        execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(),
        join(bin, tool),
      );
    const reply = fire({ ...machine.env, PATH: bin });
    expect(reply).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("from a module") as string,
    });
  });

  test("a node that is gone is not missed while PATH has one", async () => {
    await installOne(adapter, siteFor(machine.site.package, "/gone/bin/node"));
    expect(fire()).toEqual(QUIET);
    expect(ledger()).toHaveLength(1);
  });

  test("a linked worktree has its own hooks and the same command", async () => {
    const git = (...args: string[]): void => {
      const who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
      execFileSync("git", [...who, ...args], { cwd: machine.root, stdio: "pipe" });
    };
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "x");
    const tree = join(machine.base, "tree");
    git("worktree", "add", "-q", tree);
    await installOne(adapter, machine.site);
    const payload = payloadFor(adapter, call()).replaceAll(
      JSON.stringify(machine.root).slice(1, -1),
      JSON.stringify(tree).slice(1, -1),
    );
    expect(
      run(["sh"], writtenCommand(adapter, call(), "user"), payload, machine.env, tree),
    ).toEqual(QUIET);
    expect(ledger(tree)).toHaveLength(1);
  });
});

describe("an entry of the project beside one of the user", () => {
  const claude = adapterWith("claude-code");
  const guest = ADAPTERS.find(
    ({ presence, settings }) =>
      presence.inside.length > 0 &&
      (presence.payload?.length ?? 0) > 0 &&
      settings.alsoReads?.includes(claude.settings.files.project!),
  )!;

  test("stands aside, but not for a guest that reads the project's settings only", async () => {
    await installOne(claude, machine.site, "project");
    const call = toolCall(claude, "project");
    const fire = (by: Adapter, env: Record<string, string> = {}): ReturnType<typeof run> =>
      run(
        ["sh"],
        writtenCommand(claude, call, "project"),
        payloadFor(by, toolCall(by, "project")),
        {
          ...machine.env,
          ...env,
        },
      );
    fire(claude);
    expect(ledger()).toHaveLength(1);
    await installOne(claude, machine.site);
    expect(fire(claude)).toEqual(QUIET);
    expect(ledger()).toHaveLength(1);
    fire(guest, { [guest.presence.inside[0]!]: "1" });
    expect(ledger().at(-1)).toMatchObject({ harness: guest.id, event: "PreToolUse" });
  });
});
