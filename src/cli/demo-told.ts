import type { Layout } from "../dispatch/layout.ts";
import type { Call } from "./_call.ts";
import { shortId, traceOf } from "./_entries.ts";
import { harmless, oneLine } from "./_paint.ts";
import { indented, table } from "./_table.ts";
import { traceText } from "./_trace.ts";
import { count } from "./_words.ts";
import { CAST } from "./demo-files.ts";
import type { Played } from "./demo-scenes.ts";
import type { Stage } from "./demo-stage.ts";

export function opening({ paint }: Call): string {
  const rows = CAST.map(([name, form, file]) => [paint.name(name), form, paint.quiet(file)]);
  return [
    paint.strong("Five hooks, written in five ways, and two agents that obey them."),
    "A scripted agent works on a throw-away project; the dispatcher is the real one.",
    "",
    table(rows, { indent: 2 }),
  ].join("\n");
}

export function sceneText(played: Played, { paint }: Call): string {
  const { scene, returned } = played;
  const object = scene.deed.command ?? scene.deed.edits ?? "";
  const note = scene.compiles ? paint.quiet(" (hooks compiled first)") : "";
  return [
    ...(scene.before ? [paint.quiet(`  ${scene.before.told}`)] : []),
    `  The agent ${scene.does}${object === "" ? "" : `: ${paint.strong(object)}`}`,
    `  ${paint.quiet(`${String(returned.ms).padStart(5)} ms`)}  ${answerText(played, paint)}${note}`,
    ...played.broken.map((what) => paint.bad(`    not as expected: ${oneLine(what)}`)),
  ].join("\n");
}

/** What the harness was told, in words. */
function answerText({ means, entry, returned, scene }: Played, paint: Call["paint"]): string {
  const who =
    entry?.hooks.find(({ verdict }) => verdict === means.verdict && verdict !== "pass")?.name ?? "";
  const failed = entry?.hooks.find(({ status }) => status === "failed");
  const denied = scene.deed.event === "Stop" ? "✗ held back" : "✗ denied";
  if (means.verdict === "deny")
    return `${paint.bad(denied)} by ${paint.name(who)}: ${oneLine(means.reason)}`;
  if (means.verdict === "rewrite")
    return `${paint.odd("~ rewritten")} by ${paint.name(who)}: ${oneLine(String(means.input?.["command"]))}`;
  if (failed)
    return `${paint.odd("! goes on")}, although ${paint.name(failed.name)} failed: ${oneLine(complaint(returned.stderr))}`;
  if (means.context !== "")
    return `${paint.good("+ context")} from ${paint.name(entry?.hooks[0]?.name ?? "")}: ${oneLine(unfenced(means.context))}`;
  return paint.good("✓ goes on");
}

/** The hook's own words at the end of our report. */
const complaint = (stderr: string): string => stderr.trim().split("): ").at(-1) ?? "";

const unfenced = (context: string): string =>
  context.replace(/<\/?anyhook-context[^>]*>/g, "").trim();

/** A forced push, as `anyhook why` tells it. */
export function traceBlock(all: readonly Played[], layout: Layout, { paint, width }: Call): string {
  const entry = all.findLast(
    ({ scene, entry: one }) =>
      one && !scene.compiles && scene.deed.command && scene.expect.verdict === "deny",
  )?.entry;
  if (!entry) return "";
  const text = traceText(traceOf(layout, entry), paint, width);
  return `\n${paint.strong("And afterwards?")} Every answer is on record.\n${paint.quiet(`  $ anyhook why ${shortId(entry)}`)}\n${indented(text, 2)}`;
}

export function ending(all: readonly Played[], set: Stage, seconds: number, call: Call): string {
  const { paint } = call;
  const wrong = all.filter(({ broken }) => broken.length > 0).length;
  const verdict =
    wrong === 0
      ? paint.good(`${count(all.length, "answer")}, all as expected, in ${seconds.toFixed(1)} s.`)
      : paint.bad(`${count(wrong, "answer")} of ${all.length} not as expected.`);
  const next = [
    ["anyhook help", "everything that it can do"],
    ["anyhook list", "the hooks of the project you are in"],
    [`anyhook simulate claude PreToolUse --command "rm -rf /"`, "who would mind?"],
  ].map(([command = "", about = ""]) => [command, paint.quiet(`# ${about}`)]);
  return [
    `\n${verdict}`,
    ...(call.flag("keep") ? [keptText(set)] : []),
    `\n${paint.strong("Where to go next")}`,
    `  Put a script like this into .anyhook/hooks/ of your project, and make it executable:\n`,
    indented(harmless(FIRST_HOOK), 4),
    "",
    table(next, { indent: 2 }),
  ].join("\n");
}

const FIRST_HOOK = `#!/bin/sh
# Hook: my-first
# Event: PreToolUse
# Matcher: tool_name = "Bash" and tool_input.command ~ "sudo"
echo "Not with sudo, please." >&2
exit 2`;

const keptText = ({ project, env }: Stage): string =>
  `\nThe project is kept:\n  export ANYHOOK_HOME=${env["ANYHOOK_HOME"]} ANYHOOK_CONFIG_HOME=${env["ANYHOOK_CONFIG_HOME"]} ANYHOOK_MANAGED_ROOT=${env["ANYHOOK_MANAGED_ROOT"]}\n  cd ${project}`;
