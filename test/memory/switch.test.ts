import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NEW_SESSION, type Session } from "../../src/memory/session.ts";
import { turned } from "../../src/memory/switch.ts";
import { makeProject, type Project } from "../_dispatch.ts";
import { bytesBelow, texts, verb } from "./_memory.ts";

/** What the decision is after some prompts, each in the folder that stands before it. */
function after(...prompts: (readonly [cwd: string, text: string])[]): string {
  let session: Session = NEW_SESSION;
  let last = "";
  for (const [cwd, text] of prompts) {
    const { reason, task } = turned(text, cwd, session);
    session = { ...session, task, cwd, prompts: session.prompts + 1 };
    last = reason;
  }
  return last;
}

const PARSER = ["/w", "Write a parser for the invoice csv files and test the parser"] as const;

test.each([
  ["the first prompt turns nowhere", [PARSER], ""],
  [
    "going on with the same words",
    [PARSER, ["/w", "The parser fails on invoice lines with quotes in the csv"]],
    "",
  ],
  ["too short to tell", [PARSER, ["/w", "yes, go on"]], ""],
  [
    "other words",
    [PARSER, ["/w", "Deploy the kubernetes ingress with a wildcard certificate"]],
    "task",
  ],
  [
    "other words, and then on with them",
    [
      PARSER,
      ["/w", "Deploy the kubernetes ingress with a certificate"],
      ["/w", "The ingress certificate is not found by kubernetes"],
    ],
    "",
  ],
  [
    "it says so, in related words",
    [PARSER, ["/w", "Next task: the invoice parser command line options"]],
    "task",
  ],
  ["another folder", [PARSER, ["/w/web", "Now the invoice parser csv here"]], "folder"],
  ["the same folder", [PARSER, ["/w", "Now the invoice parser csv here"]], ""],
  ["it speaks of the past", [["/w", "What did we decide about the csv format?"]], "past"],
  ["it asks to be reminded", [PARSER, ["/w", "remind me which csv dialect"]], "past"],
] as const)("%s", (_, prompts, reason) => {
  expect(after(...prompts)).toBe(reason);
});

describe("user-prompt", () => {
  let project: Project;
  beforeEach(() => (project = makeProject()));
  afterEach(() => project.remove());
  let n = 0;
  const prompt = (text: string, change: object = {}): string =>
    verb(project, "user-prompt", {
      session_id: "s1",
      cwd: project.root,
      prompt: text,
      prompt_id: n++,
      ...change,
    }).stdout;

  test("is silent at first, recalls at a switch, a few lines, and not twice for one task", () => {
    for (const text of [
      "ingress certificates come from the wildcard issuer",
      "kubernetes manifests are generated",
      "prices are integers",
    ])
      prompt(`#decision ${text}`, { session_id: "earlier" });
    expect(prompt("Write a parser for the invoice csv files")).toBe("");
    expect(prompt("The parser fails on invoice lines with quotes")).toBe("");
    const recalled = prompt("Deploy the kubernetes ingress with its certificate");
    expect(recalled).toContain("Memory has this about the new task:");
    expect(recalled).toContain("ingress certificates come from the wildcard issuer");
    expect(recalled).not.toContain("prices are integers");
    expect(recalled.split("\n").length).toBeLessThanOrEqual(8);
    expect(prompt("The kubernetes ingress certificate is not found")).toBe("");
    expect(prompt("What did we decide about prices?")).toContain("prices are integers");
  });

  test("recalls what is about the folder one has gone to", () => {
    mkdirSync(join(project.root, "packages/billing"), { recursive: true });
    prompt("#decision[packages/billing] invoices are numbered without gaps", {
      session_id: "earlier",
    });
    prompt("Write a parser for csv files");
    const told = prompt("and now the numbers of invoices here", {
      cwd: join(project.root, "packages/billing"),
    });
    expect(told).toContain("Memory has this about packages/billing:");
    expect(told).toContain("numbered without gaps");
  });

  test("keeps tags at once, each once also when the event comes twice", () => {
    const payload = {
      session_id: "s1",
      cwd: project.root,
      prompt: "do it\n#decision use pnpm\n#preference(user) be brief",
    };
    for (let again = 0; again < 2; again++) verb(project, "user-prompt", payload);
    expect(texts(project)).toEqual(["be brief", "use pnpm"]);
    const other = makeProject({}, "other");
    expect(
      verb({ ...other, env: project.env }, "session-start", { session_id: "x", cwd: other.root })
        .stdout,
    ).toContain("be brief");
    other.remove();
  });

  test("the first thing that somebody tags is found by a question in other words", () => {
    prompt("#decision webhooks are retried for a day", { session_id: "earlier" });
    const asked = "What did we decide about callbacks to our partners?";
    expect(prompt(asked)).toContain("webhooks are retried for a day");
    expect(prompt("What did we decide about the colours of the logo?")).toBe("");
  });

  test("no prompt can be read from what it leaves behind, apart from a redacted goal", () => {
    const key = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
    prompt(`Rotate the key ${key} everywhere`);
    prompt("The zephyr module has a gargantuan defect in its crystallisation");
    const bytes = bytesBelow(join(project.home, ".local/state/anyhook"));
    expect(bytes).toContain("Rotate the key [redacted] everywhere");
    expect(bytes).not.toMatch(/wWPw5k4aXcaT4fNP|zephyr|gargantuan|crystallis/i);
  });
});
