import { describe, expect, test } from "vitest";
import {
  allow,
  ask,
  defineHook,
  deny,
  rewrite,
  type Answer,
  type EventName,
  type HookResult,
  type Permit,
} from "../../src/index.ts";
import { bash, makeExecutor } from "./_folder.ts";

interface Setting {
  readonly permission?: "before" | "after";
  readonly hook?: Answer;
  readonly permit: Permit;
}

/** One call, and who was asked in which order, about what. */
async function decide({ permission, hook, permit }: Setting, event: EventName = "PreToolUse") {
  const order: string[] = [];
  const executor = makeExecutor({
    ...(permission ? { permission } : {}),
    permit: (call, context) => {
      order.push(`permit ${String(call.tool_input?.["command"])}`);
      return permit(call, context);
    },
    hooks: [
      defineHook({
        name: "h",
        events: ["PreToolUse", "PostToolUse"],
        run: () => {
          order.push("hook");
          return hook;
        },
      }),
    ],
  });
  const result = await executor.execute(event, bash("ls"));
  return { order, result };
}

const brief = ({ blocked, reason, decision, outcomes, permission }: HookResult) => ({
  blocked,
  reason,
  verdict: decision.verdict,
  hooks: outcomes.map(({ status, note }) => `${status} ${note}`.trim()),
  permission,
});

describe("before the hooks", () => {
  const permission = "before";

  test("deny: no hook runs, and each is on the record as skipped", async () => {
    const { order, result } = await decide({
      permission,
      permit: () => ({ answer: "deny", reason: "not on Sundays" }),
    });
    expect(order).toEqual(["permit ls"]);
    expect(brief(result)).toEqual({
      blocked: true,
      reason: "not on Sundays",
      verdict: "deny",
      hooks: ["skipped permission was denied"],
      permission: { when: "before", answer: "deny", reason: "not on Sundays" },
    });
  });

  test("allow: the hooks run and decide", async () => {
    const { order, result } = await decide({
      permission,
      hook: deny("the hook minds"),
      permit: () => "allow",
    });
    expect(order).toEqual(["permit ls", "hook"]);
    expect(brief(result)).toMatchObject({ blocked: true, reason: "the hook minds", hooks: ["ok"] });
  });

  test("what hooks rewrite is asked about again: nothing runs that nobody permitted", async () => {
    const { order, result } = await decide({
      permission,
      hook: rewrite({ command: "rm -rf /" }),
      permit: ({ tool_input }) => (tool_input?.["command"] === "ls" ? "allow" : "deny"),
    });
    expect(order).toEqual(["permit ls", "hook", "permit rm -rf /"]);
    expect(brief(result)).toMatchObject({ blocked: true, reason: "Permission was denied." });
    expect(result.input).toBeUndefined();
  });
});

describe("after the hooks, as by default", () => {
  test("a block of a hook is final: nobody is asked", async () => {
    const { order, result } = await decide({ hook: deny("no"), permit: () => "allow" });
    expect(order).toEqual(["hook"]);
    expect(brief(result)).toMatchObject({ blocked: true, reason: "no", permission: undefined });
  });

  test("the check sees the call as rewritten, and may deny it", async () => {
    const { order, result } = await decide({
      permission: "after",
      hook: rewrite({ command: "ls -a" }),
      permit: () => "deny",
    });
    expect(order).toEqual(["hook", "permit ls -a"]);
    expect(brief(result)).toMatchObject({
      blocked: true,
      hooks: ["ok"],
      permission: { when: "after", answer: "deny" },
    });
  });

  test("allow lets the rewritten call pass", async () => {
    const { result } = await decide({ hook: rewrite({ command: "ls -a" }), permit: () => "allow" });
    expect(result).toMatchObject({ blocked: false, input: { command: "ls -a" } });
  });
});

describe.each(["before", "after"] as const)("%s: who has the last word", (permission) => {
  test.each([
    [undefined, "allow", "pass"],
    [undefined, "ask", "ask"],
    [allow(), "ask", "allow"],
    [allow(), "deny", "deny"],
    [ask("sure?"), "allow", "ask"],
    [ask("sure?"), "ask", "ask"],
    [ask("sure?"), "deny", "deny"],
    [deny("no"), "ask", "deny"],
  ] as const)("hook %j, check %s: %s", async (hook, answer, verdict) => {
    const { result } = await decide({
      permission,
      ...(hook ? { hook } : {}),
      permit: () => answer,
    });
    expect(result.decision.verdict).toBe(verdict);
    expect(result.blocked).toBe(verdict === "deny");
  });

  test.each([
    ["throws", () => Promise.reject(new Error("down")), "Error: down"],
    ["answers nonsense", () => "sure" as never, '"sure"'],
    ["answers nothing", () => undefined as never, "nothing"],
  ])("a check that %s lets nothing through", async (_, permit, why) => {
    const { result } = await decide({ permission, permit });
    expect(result.blocked).toBe(true);
    expect(result.reason).toContain("The permission check failed: ");
    expect(result.reason).toContain(why);
  });

  test("it is about calls of tools, before they are made", async () => {
    const { order } = await decide({ permission, permit: () => "deny" }, "PostToolUse");
    expect(order).toEqual(["hook"]);
  });
});
