import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { CAPTURED, type Captured } from "./_contract.ts";
import { REPO } from "./_dispatch.ts";

/** How many demands there are, per part. */
const PARTS = { S0: 29, S1: 25, S2: 26, S3: 26, S4: 17 } as const;

interface Demand {
  readonly id: string;
  readonly text: string;
  readonly shownBy: readonly { readonly file: string; readonly title: string }[];
}

const page = readFileSync(join(REPO, "docs/demands.md"), "utf8");

function demandsIn(text: string): Demand[] {
  return [...text.matchAll(/^\| (S\d\.\d+) \| (.*?) \| ([^|]*(?:\\\|[^|]*)*) \|$/gm)].map(
    ([, id, about, proof]) => ({
      id: id!,
      text: about!,
      shownBy: proof === "open" ? [] : proof!.split("<br>").map(reference),
    }),
  );
}

function reference(written: string): { file: string; title: string } {
  const [, file = "", title = ""] = /^`([^`]+)` › (.+)$/.exec(written.replaceAll("\\|", "|")) ?? [];
  return { file, title };
}

/** Whether the file has a test, or a case, with this in its title. */
function exists({ file, title }: { file: string; title: string }): boolean {
  const path = join(REPO, file);
  if (title === "" || !existsSync(path)) return false;
  const text = readFileSync(path, "utf8");
  if (file.endsWith(".yaml"))
    return /^title: (.*)$/m.exec(text)?.[1]?.replaceAll('\\"', '"').includes(title) ?? false;
  const titles = [...text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(
    ([, , literal]) => literal!,
  );
  return titles.some((literal) => literal.replaceAll(/\\(["'`])/g, "$1").includes(title));
}

describe("the table of demands", () => {
  const demands = demandsIn(page);

  test("has every demand once, in order", () => {
    const wanted = Object.entries(PARTS).flatMap(([part, count]) =>
      Array.from({ length: count }, (_, i) => `${part}.${i + 1}`),
    );
    expect(demands.map(({ id }) => id)).toEqual(wanted);
    expect(demands.filter(({ text }) => text.length < 10)).toEqual([]);
  });

  test("names only tests that exist", () => {
    const named = demands.flatMap(({ id, shownBy }) => shownBy.map((one) => ({ id, ...one })));
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((one) => !exists(one))).toEqual([]);
  });

  test("counts honestly", () => {
    const shown = demands.filter(({ shownBy }) => shownBy.length > 0);
    expect(page).toContain(`${shown.length} of ${demands.length} are shown by a test.`);
  });

  test("a test that does not exist would be found", () => {
    const [demand] = demandsIn(
      "| S9.1 | A made-up demand | `test/demands.test.ts` › no such title<br>`test/gone.ts` › x |",
    );
    expect(demand!.shownBy).toHaveLength(2);
    // Put together, so that it does not stand in this file.
    expect(
      exists({ file: "test/demands.test.ts", title: ["no such", "title at all"].join(" ") }),
    ).toBe(false);
    expect(exists(demand!.shownBy[1]!)).toBe(false);
    expect(exists({ file: "test/demands.test.ts", title: "counts honestly" })).toBe(true);
  });
});

/** In the canonical form: what a hook reads of what the harness sent. */
describe.each(ADAPTERS)("what a hook gets of what $id really sends", (adapter) => {
  const own = CAPTURED.filter((one) => one.adapter === adapter);
  const read = ({ event, payload }: Captured): Readonly<Record<string, unknown>> =>
    decodeOccurrence(adapter, event, payload, "").payload;
  const at = (event: string): Readonly<Record<string, unknown>>[] =>
    own.filter((one) => one.event === event).map(read);

  test.skipIf(own.length === 0)("every payload says its session, transcript and event", () => {
    // A transcript where the harness has one for its hooks.
    const transcript = adapter.wire ? {} : { transcript_path: expect.any(String) as string };
    for (const one of own)
      expect(read(one), one.file).toMatchObject({
        session_id: expect.any(String) as string,
        hook_event_name: one.event,
        ...transcript,
      });
  });

  test.skipIf(at("UserPromptSubmit").length === 0)("a prompt comes with UserPromptSubmit", () => {
    for (const payload of at("UserPromptSubmit"))
      expect(payload).toMatchObject({ prompt: expect.any(String) as string });
  });

  test.skipIf(at("PreToolUse").length === 0)("a tool and its input come with PreToolUse", () => {
    for (const payload of at("PreToolUse"))
      expect(payload).toMatchObject({
        tool_name: expect.any(String) as string,
        tool_input: expect.any(Object) as object,
      });
  });
});

test("most harnesses were really asked", () => {
  const asked = new Set(CAPTURED.map(({ adapter }) => adapter.id));
  expect(asked.size).toBeGreaterThan(5);
});
