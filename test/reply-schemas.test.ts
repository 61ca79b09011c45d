import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../src/adapters/_all.ts";
import { encodeReply } from "../src/adapters/_reply.ts";
import { EVENT_NAMES } from "../src/events.ts";
import type { Decision, VerdictKind } from "../src/model.ts";
import { filesIn, folderOf } from "./_contract.ts";

/** Harnesses that drop a whole reply for one unknown member publish its schema. */
const strict = ADAPTERS.filter(({ id }) => filesIn(id, "schemas").length > 0);

const kebab = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();

const decision = (verdict: VerdictKind): Decision => ({
  verdict,
  reason: 'say "no"',
  context: "some context",
  input: '{"command":"x"}',
  notice: "note",
  clampedFrom: "",
  unenforced: "",
});

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
    for (const key of s.required ?? []) if (!(key in value)) found.push(`${at}.${key} is missing`);
    for (const [key, member] of Object.entries(value)) {
      const known = s.properties[key];
      if (known) found.push(...problems(member, known, root, `${at}.${key}`));
      else if (s.additionalProperties === false) found.push(`${at}.${key} is unknown`);
    }
    return found;
  });
}

test("there is one that can fail", () => {
  expect(strict.length).toBeGreaterThan(0);
});

describe.each(strict)("$id reads through strict schemas", ({ id, surfaces }) => {
  test.each(filesIn(id, "schemas"))("%s", (file) => {
    const schema = JSON.parse(readFileSync(join(folderOf(id, "schemas"), file), "utf8")) as Schema;
    expect(problems({ whatever: 1 }, schema, schema)).toEqual([".whatever is unknown"]);
    const event = EVENT_NAMES.find((name) => kebab(name) === file.replace(".json", ""));
    const surface = event && surfaces[event];
    if (!surface) return;
    for (const [kind, template] of Object.entries(surface.replies)) {
      const { stdout } = encodeReply(template, decision(kind as VerdictKind), "why");
      if (stdout === "") continue;
      expect(problems(JSON.parse(stdout), schema, schema), `${event} ${kind}: ${stdout}`).toEqual(
        [],
      );
    }
  });
});
