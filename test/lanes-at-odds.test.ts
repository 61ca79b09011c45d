import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import {
  dispatch,
  makeProject,
  NODE_LANE,
  REPO,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";
import { dice, oddHooks, oddPayload, type Dice } from "./_odd-payloads.ts";

/**
 * Whatever a harness sends and a hook says, the lanes agree: reply, ledger, and what each hook was
 * given. ANYHOOK_ODD=200 for two hundred projects instead of a few, ANYHOOK_SEED=n for others.
 */
const PROJECTS = Number(process.env["ANYHOOK_ODD"] ?? 5);
const SEED = Number(process.env["ANYHOOK_SEED"] ?? 1);
const PAYLOADS = 8;
const EVENTS = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "PermissionRequest"];

const open: Project[] = [];
afterAll(() => open.forEach((project) => project.remove()));

interface Sent {
  readonly harness: string;
  readonly event: string;
  readonly text: string;
  readonly tools: readonly string[];
}

const captured: Sent[] = ADAPTERS.flatMap(({ id, tools }) => {
  const folder = join(REPO, "test/fixtures", id, "payloads");
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^(pre|before|tool\.execute\.b|tool_call|post|after|stop|user)/i.test(name))
    .map((name) => ({
      harness: id,
      event: name.replace(/(--.*)?\.json$/, ""),
      text: readFileSync(join(folder, name), "utf8"),
      tools: [...Object.keys(tools), "mcp__x__y", "B.*h", "__proto__"],
    }));
});

/** What must not depend on the lane. */
function outcome(project: Project, lane: Lane, sent: Sent, payload: Buffer): unknown {
  const { slot, ledger } = project.layout;
  const seen = join(project.root, "seen");
  rmSync(seen, { force: true });
  for (const folder of [ledger, join(slot, "state")])
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  const reply = dispatch(project, lane, sent.harness, sent.event, payload);
  const { time: _, ms: _ms, lane: _lane, hooks, ...entry } = project.ledger().at(-1) ?? {};
  const listed = (hooks ?? []) as { ms: number }[];
  return {
    reply,
    // Of an event without a hook the shell does not ask Node what a number means.
    entry: listed.length === 0 ? {} : entry,
    hooks: listed.map(({ ms: _hook, ...hook }) => hook),
    seen: existsSync(seen) ? readFileSync(seen, "latin1") : "",
  };
}

function compiled(d: Dice): Project {
  const project = makeProject({ ".anyhook/hooks.yaml": oddHooks(d, EVENTS) });
  open.push(project);
  expect(project.cli("materialize", "--quiet")).toMatchObject({ status: 0, stdout: "" });
  return project;
}

test.each(Array.from({ length: PROJECTS }, (_, i) => SEED * 1000 + i))(
  "odd payloads and hooks, seed %d",
  (seed) => {
    const d = dice(seed);
    const project = compiled(d);
    const lanes = shellLanes().map((lane) => ({ ...lane, real: true }));
    for (let i = 0; i < PAYLOADS; i++) {
      const sent = d.pick(captured);
      const text = sent.text.replaceAll("/home/dev/shop", project.root);
      const payload = oddPayload(d, text, sent.tools);
      const lane = d.pick(lanes);
      expect(
        outcome(project, lane, sent, payload),
        `${lane.name}, ${sent.harness} ${sent.event}: ${payload.toString("latin1")}`,
      ).toEqual(outcome(project, NODE_LANE, sent, payload));
    }
  },
  600_000,
);

test("they do differ where the payload does", () => {
  const project = compiled(dice(2));
  const sent = captured.find(({ harness }) => harness === "claude-code")!;
  const one = (command: string): unknown => {
    const body = { session_id: "s", cwd: project.root, tool_name: "Bash", tool_input: { command } };
    return outcome(
      project,
      NODE_LANE,
      { ...sent, event: "PreToolUse" },
      Buffer.from(JSON.stringify(body)),
    );
  };
  expect(one("ls")).not.toEqual(one("git push"));
});
