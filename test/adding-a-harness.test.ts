import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Adapter } from "../src/adapters/_contract.ts";
import { encodeReply } from "../src/adapters/_reply.ts";
import { decodeOccurrence } from "../src/dispatch/occurrence.ts";
import { blocksOf } from "./_markdown.ts";
import { REPO } from "./_dispatch.ts";

/** docs/adding-a-harness.md is all that somebody who adds one has to read. */

const page = readFileSync(join(REPO, "docs/adding-a-harness.md"), "utf8");
const contract = ["_contract.ts", "_settings.ts", "_asks.ts"]
  .map((name) => readFileSync(join(REPO, "src/adapters", name), "utf8"))
  .join("\n");
const folder = mkdtempSync(join(tmpdir(), "anyhook-adding-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Members of the interfaces that an adapter fills in. */
function membersOf(name: string): string[] {
  const body = new RegExp(`^export interface ${name} \\{\\n([^]*?)^\\}`, "m").exec(contract)![1]!;
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member!);
}

test.each([
  "Adapter",
  "Wire",
  "Tool",
  "Surface",
  "ReplyTemplate",
  "Presence",
  "Settings",
  "FailPolicy",
])("every member of %s is explained", (name) => {
  expect(membersOf(name).length).toBeGreaterThan(1);
  expect(membersOf(name).filter((member) => !page.includes(`\`${member}\``))).toEqual([]);
});

describe("the example", () => {
  const code = blocksOf(page).find(({ language }) => language === "ts")!.code;
  const file = join(folder, "example.ts");
  const here = code.replaceAll('from "./', `from "${join(REPO, "src/adapters")}/`);

  const typesOf = (text: string): string => {
    writeFileSync(file, text);
    const flags =
      "--noEmit --strict --module nodenext --target es2023 --allowImportingTsExtensions --skipLibCheck --ignoreConfig";
    const args = ["tsc", ...flags.split(" "), file];
    return spawnSync("npx", args, { cwd: REPO, encoding: "utf8" }).stdout;
  };

  test("is an adapter, and a member that is missing or wrong would be noticed", () => {
    expect(typesOf(here.replace('reload: "next session"', 'reload: "never"'))).toContain("never");
    expect(typesOf(here)).toBe("");
  });

  test("does what the page says about it", async () => {
    writeFileSync(file, here);
    const { default: example } = (await import(pathToFileURL(file).href)) as { default: Adapter };
    const payload = {
      ...{ on: "before_tool", run: { id: "r1" }, folders: ["/home/dev/shop"] },
      tool: { id: "t1", name: "put_file", args: { path: "a.txt", content: "x" } },
    };
    const event = decodeOccurrence(
      example,
      "PreToolUse",
      Buffer.from(JSON.stringify(payload)),
      "/home/dev/shop",
    );
    expect(event).toMatchObject({
      ...{ harness: "example", session: "r1", cwd: "/home/dev/shop", tool: "Write" },
      ...{ paths: ["/home/dev/shop/a.txt"], localPaths: ["a.txt"] },
    });
    const decision = {
      verdict: "deny",
      reason: "why",
      context: "",
      input: "",
      notice: "",
    } as const;
    const deny = example.surfaces.PreToolUse!.replies.deny!;
    expect(encodeReply(deny, { ...decision, clampedFrom: "", unenforced: "" }, "").stdout).toBe(
      '{"verdict":"no","why":"why"}\n',
    );
  });
});
