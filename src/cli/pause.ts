import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "../dispatch/layout.ts";
import type { Answer, Call } from "./_call.ts";
import { layoutHere } from "./_project.ts";

export async function pause(call: Call): Promise<Answer> {
  const layout = layoutHere(call);
  const before = pausedSince(layout) !== undefined;
  mkdirSync(layout.project, { recursive: true, mode: 0o700 });
  if (!before) writeFileSync(pauseFile(layout), "");
  const head = before ? "Already paused" : "Paused";
  const text = `${head}: ${placeText(layout)}\nNo hook runs until anyhook resume; managed hooks still do.`;
  return { exit: 0, json: { project: layout.root, paused: true, changed: !before }, text };
}

export async function resume(call: Call): Promise<Answer> {
  const layout = layoutHere(call);
  const before = pausedSince(layout) !== undefined;
  rmSync(pauseFile(layout), { force: true });
  const text = before
    ? `Hooks run again: ${placeText(layout)}`
    : `Was not paused: ${placeText(layout)}`;
  return { exit: 0, json: { project: layout.root, paused: false, changed: before }, text };
}

/** dispatch.sh looks for the same file. */
const pauseFile = ({ project }: Layout): string => join(project, "paused");

export const pausedSince = (layout: Layout): Date | undefined =>
  statSync(pauseFile(layout), { throwIfNoEntry: false })?.mtime;

const placeText = ({ root }: Layout): string =>
  root === "" ? "everything outside of projects" : root;
