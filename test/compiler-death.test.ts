import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { storeRoot } from "../src/dispatch/layout.ts";
import {
  dispatch,
  makeProject,
  payloadOf,
  shellLanes,
  type Project,
  type Replied,
} from "./_dispatch.ts";

/** A compile that ends without a word (out of memory, kill -9) where nothing was compiled before. */

const guard = (name: string): string =>
  `#!/bin/sh\n# Hook: ${name}\n# Event: PreToolUse\necho ${name} says no >&2; exit 2\n`;

let project: Project;
afterEach(() => project.remove());

/** Dies like a process that the kernel ends, unless `spared` is among its arguments. */
function mortal(spared: string): string {
  const file = join(project.base, "mortal-node");
  const body = `case " $* " in *" ${spared} "*) exec '${process.execPath}' "$@" ;; esac\nkill -KILL $$\n`;
  writeFileSync(file, `#!/bin/sh\n${body}`);
  chmodSync(file, 0o755);
  return file;
}

const fire = (
  shell: readonly string[],
  event: string,
  fixture: string,
  env: Readonly<Record<string, string>>,
): Replied => {
  const payload = payloadOf("claude-code", fixture, project);
  return dispatch(project, { name: "real", shell, real: true }, "claude-code", event, payload, env);
};

const FILES = {
  "etc/hooks/managed.sh": guard("managed"),
  "home/.config/anyhook/hooks/user.sh": guard("user"),
  ".anyhook/hooks/own.sh": guard("own"),
};

describe.each(shellLanes().slice(0, 3))("$name", ({ shell }) => {
  test("managed and user hooks hold, it is said, and the project is tried again", () => {
    project = makeProject(FILES);
    const dying = { ANYHOOK_NODE: mortal("--without-project") };
    const first = fire(shell, "PreToolUse", "PreToolUse--Bash", dying);
    expect(first.status).toBe(2);
    expect(first.stderr).toContain("managed says no\nuser says no");
    expect(first.stderr).not.toContain("own says no");
    const notice = expect.stringMatching(
      /project's hooks could not be compiled and do not run: it was killed/,
    ) as string;
    expect(JSON.parse(first.stdout)).toMatchObject({ systemMessage: notice });
    const other = fire(shell, "PreToolUse", "PreToolUse--Read", dying);
    expect(other.stderr).toContain("managed says no");
    // Another program may succeed: nobody waits a minute for that.
    const healed = fire(shell, "PreToolUse", "PreToolUse--Bash", {});
    expect(healed.stderr).toContain("own says no");
  });
});

test("where nothing can be compiled at all, that is said to the person and kept", () => {
  project = makeProject(FILES);
  const dying = { ANYHOOK_NODE: mortal("--never") };
  const first = fire(["dash"], "PreToolUse", "PreToolUse--Bash", dying);
  expect(first).toMatchObject({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^anyhook: hooks could not be compiled, and none run/) as string,
  });
  expect(readFileSync(join(storeRoot(project.env), "faults.jsonl"), "utf8")).toContain("none run");
  const told = fire(["dash"], "SessionStart", "SessionStart--startup", dying);
  expect(JSON.parse(told.stdout)).toMatchObject({
    systemMessage: expect.stringMatching(/^anyhook: hooks could not be compiled/) as string,
  });
});
