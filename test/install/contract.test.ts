import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { contractOf } from "../../src/install/contract.ts";
import { driftOf } from "../../src/install/drift.ts";
import { EVENT_NAMES } from "../../src/events.ts";
import { REPO } from "../_dispatch.ts";
import { place } from "../cli/_cli.ts";

describe("the contract", () => {
  test.each(ADAPTERS.map((adapter) => [adapter.id, adapter] as const))(
    "%s: every event has a row, and what is unsupported has a fallback",
    (id, adapter) => {
      const rows = contractOf(adapter);
      expect(rows.map(({ event }) => event)).toEqual(EVENT_NAMES);
      for (const row of rows) {
        expect(row).toMatchObject({ harness: id, evidence: adapter.evidence });
        const surface = adapter.surfaces[row.event];
        expect(row.support).toBe(surface ? "native" : "unsupported");
        expect(row.fallback === "").toBe(surface !== undefined);
      }
    },
  );

  test("without hooks: the lifecycle stands in, and nothing is mapped to a no-op", () => {
    const rows = contractOf(
      ADAPTERS.find(({ id }) => id === "codex")!,
      false,
    );
    const by = (support: string) =>
      rows.filter((row) => row.support === support).map(({ event }) => event);
    expect(by("native")).toEqual([]);
    expect(by("adapted")).toEqual([
      "SessionStart",
      "SessionEnd",
      "UserPromptSubmit",
      "Stop",
      "TaskCompleted",
    ]);
    expect(rows.find(({ event }) => event === "PreToolUse")).toMatchObject({
      support: "unsupported",
      fallback: expect.stringContaining("anyhook install --git-hooks") as string,
    });
    for (const { fallback } of rows) expect(fallback).not.toBe("");
  });

  test("as text and as JSON, for all, for one, for one event", () => {
    const here = place();
    expect(here.run("contract").out).toMatch(
      /^codex +proven +0\.166\.0 +11 of 14 +PostToolUseFailure/m,
    );
    const { rows } = here.json("contract", "codex") as { rows: unknown[] };
    expect(rows).toEqual(contractOf(ADAPTERS.find(({ id }) => id === "codex")!));
    expect(here.run("contract", "claude", "--event", "stop").out).toMatch(
      /claude-code +Stop +native +block stop/,
    );
    expect(here.run("contract", "codex", "--hookless").out).toMatch(
      /SessionStart +adapted .*ensure-start/,
    );
    expect(here.run("contract", "--event", "Stopp")).toMatchObject({ exit: 2, out: "" });
  });
});

const PARTS = [
  "docs/contract.md",
  "docs/connecting.md",
  "dist/facts",
  "hooks",
  ".claude-plugin",
  "package.json",
];

describe("the drift check", () => {
  /** The package, as far as the check looks at it. */
  function packaged(): string {
    const root = mkdtempSync(join(tmpdir(), "anyhook-drift-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const part of PARTS) cpSync(join(REPO, part), join(root, part), { recursive: true });
    return root;
  }
  const drift = (root: string) => driftOf(ADAPTERS, { shell: join(root, "shell") });

  test("passes here", () => {
    expect(drift(packaged())).toEqual([]);
    expect(place().run("contract", "--check")).toMatchObject({ exit: 0 });
  });

  test("fails when one row of the page is edited, and names the line", () => {
    const root = packaged();
    const file = join(root, "docs/contract.md");
    const lines = readFileSync(file, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes("`PreToolUse` | `PreToolUse` | yes"));
    lines[at] = lines[at]!.replace("| yes |", "| – |");
    writeFileSync(file, lines.join("\n"));
    const [found, ...more] = drift(root);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ what: file });
    expect(found!.message).toContain(`line ${at + 1} says`);
  });

  test("fails when the plugin's manifest leaves out an event", () => {
    const root = packaged();
    const file = join(root, "hooks/hooks.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
    delete manifest.hooks["Stop"];
    writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
    expect(drift(root)).toMatchObject([{ what: file }]);
  });

  test("fails when the page or the facts of one event are missing", () => {
    const root = packaged();
    rmSync(join(root, "docs/contract.md"));
    rmSync(join(root, "dist/facts/codex/Stop"));
    expect(drift(root).map(({ message }) => message)).toEqual([
      "is missing",
      "is missing, so the shell refuses the event",
    ]);
  });
});
