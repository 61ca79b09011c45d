import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { layoutOf } from "../../src/dispatch/layout.ts";
import type { Surroundings } from "../../src/prove/clients/_driver.ts";
import { bounded } from "../../src/prove/bounded.ts";
import { session, type Play, type Session } from "../../src/prove/session.ts";
import type { Stage } from "../../src/prove/stage.ts";
import { readLedger } from "../_dispatch.ts";
import { clientOf, isOptional, makeProjectStage, PINNED, stanza, type Pinned } from "./_clients.ts";
import { trustFor } from "./_trust.ts";

/** Those that take Claude's form of hooks. */
const CONNECTED = PINNED.filter(({ harness }) => ["claude-code", "codex"].includes(harness));

const adapterOf = ({ harness }: Pinned): (typeof ADAPTERS)[number] =>
  ADAPTERS.find(({ id }) => id === harness)!;

const named = (client: Pinned): [string, Pinned] => [
  `${adapterOf(client).title} ${client.version}`,
  client,
];

let stage: Stage;
const stages: Stage[] = [];
afterEach(() => stages.splice(0).forEach((one) => one.clear()));

const here = (file: string): string => join(stage.project, file);
const read = (file: string): string => readFileSync(here(file), "utf8");

interface Line {
  readonly harness: string;
  readonly event: string;
  readonly decision: { readonly verdict: string };
  readonly hooks: readonly { readonly name: string; readonly status: string }[];
}

const ledger = (): Line[] =>
  readLedger(layoutOf(stage.project, { HOME: stage.home }).ledger) as unknown as Line[];

/** `PreToolUse deny`: the ledger, line by line. */
const decisions = (): string[] =>
  ledger().map(({ event, decision }) => `${event} ${decision.verdict}`);

describe.each(CONNECTED.map(named))("%s", (_, pinned) => {
  const { harness, version } = pinned;
  const client = clientOf(pinned);
  const isMissing = client.command.length === 0;

  /** A session in a new copy of the project. Whatever is played, these hold. */
  async function play(more: Play): Promise<Session> {
    stage = makeProjectStage();
    stages.push(stage);
    const env = { ANYHOOK_MANAGED_ROOT: join(stage.base, "etc") };
    const played = await session(client, stage, { hooks: stanza(harness), env, ...more });
    const { status, leftovers, taken } = played;
    expect({ status, leftovers }, played.stderr).toEqual({ status: 0, leftovers: [] });
    expect(taken.filter((one) => one.endsWith(" failed"))).toEqual([]);
    expect(ledger().filter((line) => line.harness !== harness)).toEqual([]);
    return played;
  }

  test.skipIf(isMissing && isOptional)("is installed, in the version we claim", async () => {
    expect(client.command, "not installed: npm run test:clients does it").not.toEqual([]);
    const env = { PATH: process.env["PATH"]!, HOME: "/nonexistent" };
    const bounds = { cwd: "/", env, limit: 30_000 };
    const { stdout } = await bounded([...client.command, "--version"], bounds);
    expect(stdout).toContain(version);
    expect(adapterOf(pinned).source.version).toBe(version);
  });

  describe.skipIf(isMissing)("with our hooks", () => {
    test("context from a SessionStart hook is in the first request", async () => {
      const { requests, taken } = await play({ turns: [{ text: "Understood." }] });
      expect(requests).toHaveLength(1);
      expect(requests[0]!.all).toContain("House rule seven: boats are painted green.");
      expect(taken).toEqual([
        "SessionStart completed",
        "UserPromptSubmit completed",
        "Stop completed",
      ]);
      expect(decisions()).toEqual([
        "SessionStart pass",
        "UserPromptSubmit pass",
        "Stop pass",
        "SessionEnd pass",
      ]);
    });

    test("a denied prompt never reaches the model", async () => {
      const denied = await play({ words: "Tell me the launch codes.", turns: [] });
      expect(denied.requests).toEqual([]);
      expect(denied.taken).toEqual(["SessionStart completed", "UserPromptSubmit blocked"]);
      expect(decisions()).toEqual([
        "SessionStart pass",
        "UserPromptSubmit deny",
        "SessionEnd pass",
      ]);

      const allowed = await play({ words: "Tell me the launch date.", turns: [] });
      expect(allowed.requests).toHaveLength(1);
    });

    test("a denied command does not run, and the model reads why", async () => {
      const { requests, taken } = await play({
        turns: [
          { shell: "echo release >out.txt" },
          { shell: "echo draft >draft.txt" },
          { text: "Understood." },
        ],
      });
      expect(existsSync(here("out.txt"))).toBe(false);
      expect(read("draft.txt")).toBe("draft\n");
      expect(requests).toHaveLength(3);
      expect(requests[1]!.news).toContain("Releases are made on Tuesdays.");
      expect(requests[2]!.news).not.toContain("Tuesdays");
      expect(taken).toContain("PreToolUse blocked");
      expect(decisions()).toEqual([
        "SessionStart pass",
        "UserPromptSubmit pass",
        "PreToolUse deny",
        "PreToolUse pass",
        "PostToolUse pass",
        "Stop pass",
        "SessionEnd pass",
      ]);
    });

    test("a command that a script and a module rewrite in turn is what runs", async () => {
      await play({ turns: [{ shell: "echo hello >greeting.txt" }, { text: "Understood." }] });
      expect(read("greeting.txt")).toBe("hello from the shell and from a module\n");
      expect(decisions()).toContain("PreToolUse rewrite");
      const { hooks } = ledger().find(({ event }) => event === "PreToolUse")!;
      expect(hooks).toMatchObject([
        { name: "greeting", status: "ok", verdict: "rewrite" },
        { name: "signature", status: "ok", verdict: "rewrite" },
      ]);
    });

    test("a module that only the rewritten command concerns denies it", async () => {
      const { requests } = await play({ turns: [{ shell: "tidy" }, { text: "Understood." }] });
      expect(decisions()).toContain("PreToolUse deny");
      expect(existsSync(here("floor.txt"))).toBe(false);
      expect(requests[1]!.news).toContain("The floor is wet.");
    });

    test("context from a PostToolUse hook reaches the model", async () => {
      const { requests } = await play({
        turns: [{ shell: "echo count" }, { shell: "echo other" }, { text: "Understood." }],
      });
      expect(requests[1]!.news).toContain("The inventory was counted by inventory.");
      expect(requests[2]!.news).not.toContain("inventory");
      expect(decisions().filter((one) => one.startsWith("PostToolUse"))).toEqual([
        "PostToolUse pass",
        "PostToolUse pass",
      ]);
    });

    test("a Stop hook that always blocks holds the agent back once", async () => {
      const { requests, taken } = await play({
        turns: [{ text: "finished" }, { text: "still finished" }, { text: "never asked" }],
      });
      expect(requests).toHaveLength(2);
      expect(requests[1]!.news).toContain("Say what was tested.");
      expect(taken.slice(-2)).toEqual(["Stop blocked", "Stop completed"]);
      const stops = ledger().filter(({ event }) => event === "Stop");
      expect(stops.map(({ decision }) => decision)).toEqual([
        { verdict: "deny", reason: "Say what was tested." },
        {
          verdict: "pass",
          reason: "Say what was tested.",
          clampedFrom: "deny",
          unenforced: "already held back once for this reason",
        },
      ]);
    });

    test("a hook that is edited or removed in mid-session is obeyed at the next event", async () => {
      const release = { shell: "echo release >out.txt" };
      const { requests } = await play({
        turns: [
          release,
          {
            shell:
              "sed -i.old s/Tuesdays/Fridays/ .anyhook/hooks/no-r*.sh && rm .anyhook/hooks/*.old",
          },
          release,
          { shell: "rm .anyhook/hooks/no-r*.sh" },
          release,
          { text: "Understood." },
        ],
      });
      expect(requests[1]!.news).toContain("Releases are made on Tuesdays.");
      expect(requests[3]!.news).toContain("Releases are made on Fridays.");
      expect(read("out.txt")).toBe("release\n");
      expect(decisions().filter((one) => one.startsWith("PreToolUse"))).toEqual([
        "PreToolUse deny",
        "PreToolUse pass",
        "PreToolUse deny",
        "PreToolUse pass",
        "PreToolUse pass",
      ]);
    });

    test("SessionEnd hooks, a script and a module, finish before the client is gone", async () => {
      await play({ turns: [{ text: "Understood." }] });
      expect(read("logged-off.txt")).toBe(`${harness}\n`);
      expect(read("signed-out.txt")).toBe(`${harness}\n`);
      expect(ledger().at(-1)).toMatchObject({
        event: "SessionEnd",
        hooks: [
          { name: "log-off", status: "ok" },
          { name: "sign-out", status: "ok" },
        ],
      });
    });

    test("hooks apply to a session that is started in a subfolder", async () => {
      const { requests } = await play({
        from: "packages/web",
        turns: [
          { shell: "echo release >out.txt" },
          { shell: "echo draft >draft.txt" },
          { text: "Understood." },
        ],
      });
      expect(requests[0]!.all).toContain("House rule seven");
      expect(requests[1]!.news).toContain("Releases are made on Tuesdays.");
      expect(existsSync(here("packages/web/out.txt"))).toBe(false);
      expect(read("packages/web/draft.txt")).toBe("draft\n");
      // Hooks start in the project's root, wherever the session is.
      expect(read("logged-off.txt")).toBe(`${harness}\n`);
    });

    test("a command that runs in a folder outside the project is still under its hooks", async () => {
      const workdir = tmpdir();
      const { requests } = await play({
        turns: [
          { shell: `cd '${workdir}' && pwd`, workdir },
          { shell: "echo release", workdir },
          { text: "Understood." },
        ],
      });
      expect(requests[1]!.news).toContain(workdir);
      expect(requests[2]!.news).toContain("Releases are made on Tuesdays.");
      expect(decisions().filter((one) => one.startsWith("PreToolUse"))).toEqual([
        "PreToolUse pass",
        "PreToolUse deny",
      ]);
    });

    test("a hook that hangs is ended, and the session goes on", async () => {
      const { ms, requests } = await play({
        turns: [{ shell: "echo patience >out.txt" }, { text: "Understood." }],
      });
      expect(ms).toBeLessThan(20_000);
      expect(requests).toHaveLength(2);
      expect(read("out.txt")).toBe("patience\n");
      const { hooks } = ledger().find(({ event }) => event === "PreToolUse")!;
      expect(hooks).toMatchObject([{ name: "patience", status: "timeout", exit: null }]);
    });

    // Claude Code has no such step.
    if (harness !== "codex") return;

    test("entries run without the bypass once they are trusted, and not before", async () => {
      const script = { turns: [{ shell: "echo release >out.txt" }, { text: "Understood." }] };
      // Written by hand: what the driver is told of, it starts with the bypass.
      const write = (trust: boolean) => (around: Surroundings) => trustFor(around, trust);
      await play({ ...script, hooks: [], ready: write(false) });
      expect(ledger()).toEqual([]);
      expect(read("out.txt")).toBe("release\n");

      const { requests } = await play({ ...script, hooks: [], ready: write(true) });
      expect(existsSync(here("out.txt"))).toBe(false);
      expect(requests[1]!.news).toContain("Releases are made on Tuesdays.");
      expect(decisions()).toEqual([
        "SessionStart pass",
        "UserPromptSubmit pass",
        "PreToolUse deny",
        "Stop pass",
        "SessionEnd pass",
      ]);
    });
  });
});
