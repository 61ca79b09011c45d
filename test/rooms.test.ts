import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { importsOf, MAY_NAME_A_HARNESS, sourcesBelow, violations } from "./_rooms.ts";

const ids = ADAPTERS.map((adapter) => adapter.id);
const sources = sourcesBelow(`${import.meta.dirname}/..`);

describe("the floor plan", () => {
  test("holds in src/", () => {
    expect(violations(sources, ids)).toEqual([]);
  });

  test("the imports were really read", () => {
    const seen = importsOf(sources);
    expect(seen.length).toBeGreaterThan(200);
    expect(seen).toContainEqual({
      from: "src/dispatch/dispatch.ts",
      to: "src/dispatch/merge.ts",
      typeOnly: false,
      dynamic: false,
    });
    expect(seen.find((one) => one.dynamic && one.to === "esbuild")?.from).toBe(
      "src/compile/bundle.ts",
    );
  });

  test("an exception that nobody needs is removed", () => {
    const needed = violations(sources, ids, []).map((text) => text.split(" ")[0]);
    expect([...new Set(needed)].toSorted()).toEqual(Object.keys(MAY_NAME_A_HARNESS).toSorted());
  });
});

describe("each rule can fail", () => {
  test.each([
    [
      "a package on the hot floor",
      "src/dispatch/a.ts",
      'import { z } from "zod";',
      "has no dependencies",
    ],
    [
      "a package in the library",
      "src/authoring.ts",
      'export { z } from "zod";',
      "has no dependencies",
    ],
    [
      "hot to cold",
      "src/handlers/a.ts",
      'import { c } from "../compile/c.ts";',
      "does not start the cold one",
    ],
    [
      "hot to cold, later",
      "src/dispatch/a.ts",
      'await import("../compile/c.ts")',
      "does not start the cold one",
    ],
    [
      "hot to cold, over lines",
      "src/model.ts",
      'import {\n  a,\n  b,\n} from "./ledger/c.ts";',
      "does not start the cold one",
    ],
    [
      "node in an adapter",
      "src/adapters/a.ts",
      'import { join } from "node:path";',
      "an adapter is pure",
    ],
    [
      "cli from elsewhere",
      "src/compile/a.ts",
      'import { run } from "../cli/run.ts";',
      "nobody imports cli",
    ],
    ["entry", "src/cli/a.ts", 'import "../dispatch/entry.ts";', "nobody imports entry"],
    ["no extension", "src/cli/a.ts", 'import { b } from "./b";', "the extension is missing"],
    ["a long file", "src/cli/a.ts", "\n".repeat(251), "has 251 lines"],
    ["an empty word", "src/cli/hook-utils.ts", "", "not a word that says what it is"],
    [
      "a harness by name",
      "src/dispatch/a.ts",
      `if (id === '${ids[0]}') {}`,
      "only its adapter and its driver may",
    ],
  ])("%s", (_, file, text, sentence) => {
    expect(violations({ [file]: text }, ids)).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    ["types from the cold floor", "src/handlers/a.ts", 'import type { C } from "../compile/c.ts";'],
    ["node on the hot floor", "src/dispatch/a.ts", 'import { join } from "node:path";'],
    ["a package on the cold floor", "src/compile/a.ts", 'import { z } from "zod";'],
    ["cli inside cli", "src/cli/a.ts", 'import { run } from "./run.ts";'],
    ["a file of 250 lines", "src/cli/a.ts", "\n".repeat(250)],
    [
      "a harness in its adapter",
      `src/adapters/${ids[0]}.ts`,
      `export default { id: "${ids[0]}" };`,
    ],
    [
      "a harness in its driver",
      `src/prove/clients/${ids[0]}.ts`,
      `export default { harness: "${ids[0]}" };`,
    ],
  ])("and lets pass: %s", (_, file, text) => {
    expect(violations({ [file]: text }, ids)).toEqual([]);
  });
});
