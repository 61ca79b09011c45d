import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { EVENT_NAMES } from "../src/events.ts";
import { DRIVERS } from "../src/prove/clients/_all.ts";
import { REPO } from "./_dispatch.ts";

/** docs/compatibility.md is written by a run of real clients; here, that it is of these clients. */
const PAGE = readFileSync(join(REPO, "docs/compatibility.md"), "utf8");

const PINNED = JSON.parse(
  readFileSync(join(REPO, "test/clients/clients.json"), "utf8"),
) as readonly { readonly harness: string; readonly version: string }[];

const adapterOf = (harness: string): (typeof ADAPTERS)[number] =>
  ADAPTERS.find(({ id }) => id === harness)!;

const rows = PAGE.split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.slice(2, -2).split(" | "));
const [head, ...events] = rows.slice(rows.findIndex(([first]) => first === "event"));
const cell = (event: string, title: string): string =>
  events.find(([first]) => first === `\`${event}\``)![head!.indexOf(title)]!;

test("the page is about the clients that are pinned, and those are the ones that we call proven", () => {
  const titles = PINNED.map(({ harness, version }) => `${adapterOf(harness).title} ${version}`);
  expect(head).toEqual(["event", ...titles]);
  const proven = ADAPTERS.filter(({ evidence }) => evidence === "proven").map(({ id }) => id);
  expect(PINNED.map(({ harness }) => harness).toSorted()).toEqual(proven.toSorted());
  expect(DRIVERS.map(({ harness }) => harness).toSorted()).toEqual(proven.toSorted());
});

test("every event of every client is on it: as held or fired, or as not reached", () => {
  for (const { harness, version } of PINNED) {
    const { surfaces, title } = adapterOf(harness);
    const { unreachable } = DRIVERS.find((one) => one.harness === harness)!;
    for (const event of EVENT_NAMES) {
      const words = cell(event, `${title} ${version}`);
      const wanted = !surfaces[event]
        ? ["–"]
        : event in unreachable
          ? ["not reached"]
          : ["holds", "fires"];
      expect(wanted, `${title}, ${event}`).toContain(words);
    }
  }
});

test("no scenario on it failed or was left out", () => {
  expect(PAGE).toContain("| yes |");
  expect(PAGE).not.toMatch(/\*\*no\*\*(?!:)|\| not run|\*\*not /);
});
