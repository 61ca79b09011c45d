import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sealLedger, verifyLedger } from "../src/ledger/seal.ts";
import { makeProject } from "./_dispatch.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function ledger(...days: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "anyhook-seal-"));
  folders.push(folder);
  for (const day of days) writeFileSync(join(folder, `${day}.jsonl`), `{"day":"${day}"}\n`);
  return folder;
}

const states = (folder: string): string[] => verifyLedger(folder).map(({ state }) => state);

test("days that are over are sealed, today is not, and sealing twice changes nothing", () => {
  const folder = ledger("2026-11-01", "2026-11-02", "2026-11-03");
  sealLedger(folder, "2026-11-03");
  const seals = readFileSync(join(folder, "seals"), "utf8");
  sealLedger(folder, "2026-11-03");
  expect(readFileSync(join(folder, "seals"), "utf8")).toBe(seals);
  expect(states(folder)).toEqual(["intact", "intact", "not sealed yet"]);
});

test("a changed line, a removed day and a forged seal are seen", () => {
  const make = (): string => {
    const folder = ledger("2026-11-01", "2026-11-02", "2026-11-03");
    sealLedger(folder, "2026-11-04");
    return folder;
  };
  const changed = make();
  appendFileSync(join(changed, "2026-11-02.jsonl"), "{}\n");
  expect(states(changed)).toEqual(["intact", "changed", "intact"]);
  const removed = make();
  rmSync(join(removed, "2026-11-01.jsonl"));
  expect(states(removed)).toEqual(["missing", "intact", "intact"]);
  const forged = make();
  const lines = readFileSync(join(forged, "seals"), "utf8").split("\n");
  writeFileSync(join(forged, "seals"), lines.slice(1).join("\n"));
  expect(states(forged)).toContain("broken chain");
});

test("two that seal at the same moment raise no alarm, and a damaged line does", () => {
  const folder = ledger("2026-11-01", "2026-11-02");
  sealLedger(folder, "2026-11-02");
  const seals = readFileSync(join(folder, "seals"), "utf8");
  appendFileSync(join(folder, "seals"), seals);
  sealLedger(folder, "2026-11-03");
  expect(states(folder)).toEqual(["intact", "intact"]);
  appendFileSync(join(folder, "seals"), "{ torn\n");
  expect(states(folder)).toEqual(["intact", "intact", "broken chain"]);
});

test("old days are dropped, and that is said", () => {
  const folder = ledger("2026-01-01", "2026-11-02");
  sealLedger(folder, "2026-11-03");
  expect(readdirSync(folder).toSorted()).toEqual(["2026-11-02.jsonl", "seals"]);
  expect(states(folder)).toEqual(["dropped", "intact"]);
});

test("anyhook log --verify", () => {
  const project = makeProject({ ".anyhook/settings.json": "{}" });
  folders.push(project.base);
  project.cli("materialize", "--quiet");
  writeFileSync(join(project.layout.ledger, "2026-01-30.jsonl"), "{}\n");
  writeFileSync(join(project.layout.ledger, "2020-01-01.jsonl"), "{}\n");
  expect(project.cli("log", "--verify")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Nothing was changed") as string,
  });
  writeFileSync(
    join(project.layout.ledger, "seals"),
    '{"day":"2026-01-30","sha256":"x","chain":"y"}\n',
  );
  expect(project.cli("log", "--verify").status).toBe(1);
});
