import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { REPO } from "./_dispatch.ts";

export const folder = mkdtempSync(join(tmpdir(), "anyhook-parity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const AWKS = ["mawk", "gawk", "busybox awk", "original-awk"].filter(
  (name) => spawnSync("sh", ["-c", `command -v ${name.split(" ")[0]}`]).status === 0,
);

/** Runs `program` once over many inputs: each is a file, each answer a line of JSON. */
export function awk(
  name: string,
  libraries: readonly string[],
  program: string,
  inputs: readonly string[],
): unknown[] {
  inputs.forEach((text, i) => writeFileSync(join(folder, `in.${i}`), text));
  const script = join(folder, "program.awk");
  writeFileSync(
    script,
    `function whole(file,    line, text, n) { RS = "\\001"; text = ""; while ((getline line < file) > 0) text = (n++) ? text "\\001" line : line; close(file); RS = "\\n"; return text }
BEGIN { for (k = 0; k < ${inputs.length}; k++) { text = whole("${folder}/in." k); ${program} } }`,
  );
  const [program0, ...first] = name.split(" ");
  const args = [
    ...first,
    ...libraries.flatMap((l) => ["-f", join(REPO, "shell", l)]),
    "-f",
    script,
  ];
  const { stdout, stderr, status } = spawnSync(program0!, args, {
    env: { ...process.env, LC_ALL: "C" },
    encoding: "utf8",
    input: "",
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}
