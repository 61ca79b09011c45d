import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { budgetOf, takesContext, type Adapter, type Surface } from "../src/adapters/_contract.ts";
import { encodeReply } from "../src/adapters/_reply.ts";
import { canonicalPayload } from "../src/dispatch/canonical.ts";
import { clampVerdict } from "../src/dispatch/clamp.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { EVENTS, type EventName } from "../src/events.ts";
import { PASS } from "../src/handlers/_verdict.ts";
import { VERDICTS, type Decision, type Hook, type VerdictKind } from "../src/model.ts";
import { answered, CAPTURED, folderOf, rulesOf } from "./_contract.ts";
import { REPO } from "./_dispatch.ts";

/** The contract, over every adapter. What is true of one harness only stands in its fixtures. */

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

test("every adapter file is registered", () => {
  const files = readdirSync(join(REPO, "src/adapters")).filter((name) => !name.startsWith("_"));
  expect(ADAPTERS.map(({ id }) => `${id}.ts`).toSorted()).toEqual(files.toSorted());
});

test("ids and aliases are each one harness's", () => {
  const names = ADAPTERS.flatMap(({ id, aliases }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(ADAPTERS)("$id", (adapter) => {
  const own = CAPTURED.filter((one) => one.adapter === adapter);
  const rules = rulesOf(adapter.id);

  test("every surface has a captured payload, or says why not", () => {
    const proven = adapter.evidence === "proven";
    const seen = new Set(
      own.filter((one) => !(proven && one.documented)).map(({ event }) => event),
    );
    const without = surfacesOf(adapter).filter(([event]) => !seen.has(event));
    expect(without.map(([event]) => event).toSorted()).toEqual(
      Object.keys(rules.uncaptured ?? {}).toSorted(),
    );
    for (const why of Object.values(rules.uncaptured ?? {})) expect(why).not.toBe("");
  });

  test("what is not captured is not passed off as it", () => {
    expect(own.every((one) => one.documented)).toBe(adapter.evidence !== "proven");
    const names = own.map(({ file }) => file);
    expect(new Set(names).size).toBe(names.length);
    if (own.some((one) => one.documented))
      expect(readFileSync(folderOf(adapter.id, "README.md"), "utf8")).toContain("`documented/`");
  });

  test("every captured payload is of an event that it has", () => {
    const known = new Set<string>([...Object.keys(adapter.surfaces), ...adapter.observes]);
    expect(own.filter(({ event }) => !known.has(event)).map(({ file }) => file)).toEqual([]);
  });

  test("every captured payload decodes to the same canonical event", () => {
    for (const { file, event, payload } of own) {
      const seen = decodeOccurrence(adapter, event, payload, "/home/dev/shop");
      expect(seen, file).toMatchObject({
        harness: adapter.id,
        cwd: expect.stringMatching(/^\//) as string,
        session: expect.stringMatching(/./) as string,
      });
      expect(seen.payload["hook_event_name"], file).toBe(event);
      expect(seen.id, file).toBe(decodeOccurrence(adapter, event, payload, "").id);
      if (adapter.wire && seen.tool !== "") expect(seen.payload["tool_name"], file).toBe(seen.tool);
      for (const path of seen.paths) expect(path).toMatch(/^\//);
    }
  });

  test("a payload that has our form already is passed on byte for byte", () => {
    for (const { event, payload } of own)
      expect(canonicalPayload(adapter, event, payload).equals(payload)).toBe(!adapter.wire);
  });

  test("what a surface turns into exists, and turns no further", () => {
    for (const [event, { turns, native }] of surfacesOf(adapter)) {
      if (!turns) continue;
      const target = adapter.surfaces[turns.into];
      expect(target?.native, event).toBe(native);
      expect(target?.turns, event).toBeUndefined();
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
        if (kind === "pass" || kind === "allow") expect(reply.exit).toBe(0);
        const bare = { ...decision(kind), context: "", notice: "", reason: "r" };
        expect(encodeReply(template, bare, "r").stdout).not.toMatch(/\$[RCIN]|`|,,|\{,/);
        const never = [
          ...(rules.never?.[event]?.["*"] ?? []),
          ...(rules.never?.[event]?.[kind] ?? []),
        ];
        for (const text of never) expect(reply.stdout).not.toContain(text);
      }
      for (const kind of rules.unsaid?.[event] ?? []) expect(surface.replies[kind]).toBeUndefined();
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
        const verdict = { ...PASS, kind, reason: "r", ...input };
        const clamped = clampVerdict(hook, verdict, blockable, surface, event);
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

/** UPDATE_GOLDEN=1 writes them anew; then read the difference. */
describe.each(ADAPTERS)("golden replies of $id", (adapter) => {
  const own = CAPTURED.filter((one) => one.adapter === adapter && one.surface);
  const folder = folderOf(adapter.id, "replies");

  test.skipIf(own.length === 0)("to every captured payload and every verdict", async () => {
    for (const one of own) {
      const replies: Record<string, unknown> = {};
      for (const kind of VERDICTS) {
        const { reply, entry } = await answered(one, kind);
        const { verdict, clampedFrom, unenforced } = entry.decision;
        replies[kind] = {
          ...reply,
          verdict,
          ...(clampedFrom === "" ? {} : { clampedFrom }),
          ...(unenforced === "" ? {} : { unenforced }),
        };
      }
      const { event, file, payload } = one;
      const seen = decodeOccurrence(adapter, event, payload, "/home/dev/shop");
      const golden = {
        event,
        id: seen.id,
        tool: seen.tool,
        toolNames: seen.toolNames,
        paths: seen.paths,
        canonical: adapter.wire ? seen.payload : "as sent",
        replies,
      };
      compare(join(folder, file), golden);
    }
  });

  test("there is no golden reply without a payload", () => {
    const files = existsSync(folder) ? readdirSync(folder) : [];
    expect(files.toSorted()).toEqual(own.map(({ file }) => file).toSorted());
  });
});

function compare(file: string, golden: unknown): void {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `${JSON.stringify(golden, null, 1)}\n`);
  }
  expect(existsSync(file), `${file}: UPDATE_GOLDEN=1 writes it`).toBe(true);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(golden);
}
