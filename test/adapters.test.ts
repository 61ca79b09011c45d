import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { budgetOf, takesContext, type Adapter, type Surface } from "../src/adapters/_contract.ts";
import { encodeReply } from "../src/adapters/_reply.ts";
import { clampVerdict } from "../src/dispatch/clamp.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { EVENTS, EVENT_NAMES, type EventName } from "../src/events.ts";
import { PASS } from "../src/handlers/_verdict.ts";
import { VERDICTS, type Decision, type Hook, type VerdictKind } from "../src/model.ts";
import { REPO } from "./_dispatch.ts";

const fixtures = (id: string, kind: string): string[] =>
  readdirSync(join(REPO, "test/fixtures", id, kind)).toSorted();
const surfacesOf = (adapter: Adapter): [EventName, Surface][] =>
  Object.entries(adapter.surfaces) as [EventName, Surface][];
const decision = (verdict: VerdictKind): Decision => ({
  verdict,
  reason: 'say "no"',
  context: "some context",
  input: '{"command":"x"}',
  notice: "note",
  clampedFrom: "",
  unenforced: "",
});

/** The folder itself says who is under contract. */
test("every adapter file is registered", () => {
  const files = readdirSync(join(REPO, "src/adapters")).filter((name) => !name.startsWith("_"));
  expect(ADAPTERS.map(({ id }) => `${id}.ts`).toSorted()).toEqual(files.toSorted());
});

describe.each(ADAPTERS)("$id", (adapter) => {
  test("every surface has a captured payload, and decodes", () => {
    const payloads = fixtures(adapter.id, "payloads");
    // TaskCompleted could not be reached without a person at the terminal.
    const without = surfacesOf(adapter).filter(
      ([, s]) => !payloads.some((name) => name.split(/--|\./)[0] === s.native),
    );
    expect(without.map(([event]) => event)).toEqual(
      adapter.id === "claude-code" ? ["TaskCompleted"] : [],
    );
    for (const name of payloads) {
      const bytes = readFileSync(join(REPO, "test/fixtures", adapter.id, "payloads", name));
      const event = decodeOccurrence(adapter, name.split(/--|\./)[0]!, bytes, "/home/dev/shop");
      expect(event).toMatchObject({
        harness: adapter.id,
        cwd: expect.stringMatching(/^\//) as string,
        session: expect.stringMatching(/./) as string,
      });
      expect(event.payload["hook_event_name"]).toBe(name.split(/--|\./)[0]);
      for (const path of event.paths) expect(path).toMatch(/^\//);
    }
  });

  test.each(surfacesOf(adapter))(
    "%s: every reply is one JSON object or nothing, and says its reason",
    (event, surface) => {
      for (const kind of VERDICTS) {
        const template = surface.replies[kind];
        if (!template) continue;
        const reply = encodeReply(template, decision(kind), "why");
        if (reply.stdout !== "") expect(JSON.parse(reply.stdout)).toBeTypeOf("object");
        if (kind === "deny" || kind === "halt" || kind === "ask")
          expect(reply.stdout + reply.stderr).toMatch(/say \\"no\\"|why/);
        if (reply.exit === 2) expect(reply.stderr).not.toBe("");
        expect(
          encodeReply(template, { ...decision(kind), context: "", notice: "", reason: "r" }, "r")
            .stdout,
        ).not.toMatch(/\$[RCIN]|`|,,|\{,/);
      }
      expect(budgetOf(surface)).toBeLessThan(surface.timeout);
      expect(surface.replies.pass, event).toBeDefined();
    },
  );

  test.each(surfacesOf(adapter))("%s: nothing gets weaker in silence", (event, surface) => {
    const blockable = EVENTS[event].block;
    for (const kind of VERDICTS)
      for (const block of [true, false]) {
        const hook = { name: "h", block } as Hook;
        const input = kind === "rewrite" ? ({ input: "{}", inputMode: "merge" } as const) : {};
        const clamped = clampVerdict(
          hook,
          { ...PASS, kind, reason: "r", ...input },
          blockable,
          surface,
          event,
        );
        expect(surface.replies[clamped.kind], `${kind} → ${clamped.kind}`).toBeDefined();
        const weaker =
          VERDICTS.indexOf(clamped.kind) < VERDICTS.indexOf(kind) &&
          kind !== "allow" &&
          !(kind === "halt" && clamped.kind === "deny");
        if (weaker)
          expect(clamped.refused || clamped.unenforced, `${kind} → ${clamped.kind}`).not.toBe("");
        if (!block) expect(["deny", "halt"]).not.toContain(clamped.kind);
      }
  });

  test("context is offered only where the event takes it", () => {
    for (const [event, surface] of surfacesOf(adapter))
      if (takesContext(surface)) expect(EVENTS[event].context, event).toBe(true);
  });
});

describe("codex reads through strict schemas", () => {
  const codex = ADAPTERS.find(({ id }) => id === "codex")!;
  const kebab = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  interface Schema {
    properties?: Record<string, Schema>;
    allOf?: Schema[];
    $ref?: string;
    definitions?: Record<string, Schema>;
    enum?: unknown[];
    const?: unknown;
    required?: string[];
    additionalProperties?: boolean;
  }

  /** Enough of JSON Schema for these files: unknown members, enums, constants, required ones. */
  function problems(value: unknown, schema: Schema, root: Schema, at = ""): string[] {
    const full = [schema, ...(schema.allOf ?? [])].map((s) =>
      s.$ref ? root.definitions![s.$ref.split("/").at(-1)!]! : s,
    );
    return full.flatMap((s) => {
      const found: string[] = [];
      if (s.enum && !s.enum.includes(value)) found.push(`${at}: not one of ${s.enum.join()}`);
      if (s.const !== undefined && s.const !== value) found.push(`${at}: not ${String(s.const)}`);
      if (!s.properties || typeof value !== "object" || value === null) return found;
      for (const key of s.required ?? [])
        if (!(key in value)) found.push(`${at}.${key} is missing`);
      for (const [key, member] of Object.entries(value)) {
        const known = s.properties[key];
        if (known) found.push(...problems(member, known, root, `${at}.${key}`));
        else if (s.additionalProperties === false) found.push(`${at}.${key} is unknown`);
      }
      return found;
    });
  }

  test.each(fixtures("codex", "schemas"))("%s", (file) => {
    const schema = JSON.parse(
      readFileSync(join(REPO, "test/fixtures/codex/schemas", file), "utf8"),
    ) as Schema;
    expect(problems({ whatever: 1 }, schema, schema)).toEqual([".whatever is unknown"]);
    const event = EVENT_NAMES.find((name) => kebab(name) === file.replace(".json", ""));
    const surface = event && codex.surfaces[event];
    if (!surface) return;
    for (const [kind, template] of Object.entries(surface.replies)) {
      const { stdout } = encodeReply(template, decision(kind as VerdictKind), "why");
      if (stdout !== "")
        expect(problems(JSON.parse(stdout), schema, schema), `${event} ${kind}: ${stdout}`).toEqual(
          [],
        );
    }
  });
});

test("never continue:false on PreToolUse, never a bare allow, ask or updatedInput to Codex", () => {
  const out = (id: string, kind: VerdictKind): string =>
    ADAPTERS.find((a) => a.id === id)!.surfaces.PreToolUse!.replies[kind]?.out ?? "";
  for (const adapter of ADAPTERS)
    for (const kind of VERDICTS) expect(out(adapter.id, kind)).not.toContain('"continue"');
  expect([out("codex", "allow"), out("codex", "ask")]).toEqual(["", ""]);
  expect(out("codex", "rewrite")).toContain('"permissionDecision":"allow","updatedInput"');
});
