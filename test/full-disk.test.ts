import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import {
  CLI,
  DISPATCH,
  lanePath,
  makeProject,
  NODE_LANE,
  shellLanes,
  type Lane,
  type Project,
} from "./_dispatch.ts";

/** Own mounts need rights that not every machine gives. */
const mounts = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

const projects: Project[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

const HOOKS = `hooks:
  - { name: g, events: PreToolUse, matcher: { tool_name: Bash }, block: true, on_failure: block, command: "echo '{\\"decision\\":\\"block\\",\\"reason\\":\\"no\\"}'; exit 0" }
  - { name: talks, events: PreToolUse, matcher: { tool_name: Read }, command: "echo read" }
`;

/** Fills a small home up to so many free pages, and dispatches: "tool free exit", and what was said. */
const FILL = `
mount -t tmpfs -o size=3m tmpfs "$HOME" || exit 1
"$NODE" "$CLI" materialize --quiet || exit 1
for tool in Bash Read; do
  for free in 0 1 2 3 4 5 6 7 20; do
    rm -f "$HOME/fill"
    dd if=/dev/zero of="$HOME/pad" bs=4k count=$free 2>/dev/null
    dd if=/dev/zero of="$HOME/fill" bs=4k 2>/dev/null
    rm -f "$HOME/pad"
    printf '{"session_id":"s","cwd":"%s","tool_name":"%s","tool_input":{"command":"ls","file_path":"a"}}' "$PWD" $tool |
      "$@" claude-code PreToolUse >"$PWD/out" 2>"$PWD/err"
    echo "$tool $free $?"
    sed 's/^/err /' "$PWD/err"
  done
done
`;

const READONLY = `
"$NODE" "$CLI" materialize --quiet || exit 1
mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" || exit 1
for tool in Bash Read Write; do
  printf '{"session_id":"s","cwd":"%s","tool_name":"%s","tool_input":{"command":"ls","file_path":"a"}}' "$PWD" $tool |
    "$@" claude-code PreToolUse >"$PWD/out" 2>"$PWD/err"
  echo "$tool $?"
  sed 's/^/err /' "$PWD/err"
done
`;

/** Only the slot: nobody holds its lock, and nobody can. Hooks are edited meanwhile. */
const LOCKED = `
"$NODE" "$CLI" materialize --quiet || exit 1
mount --bind "$SLOT" "$SLOT" && mount -o remount,ro,bind "$SLOT" || exit 1
echo '# edited' >>.anyhook/hooks.yaml
timeout 20 "$NODE" "$CLI" status 2>&1
echo "status $?"
printf '{"session_id":"s","cwd":"%s","tool_name":"Bash","tool_input":{"command":"ls"}}' "$PWD" |
  timeout 20 "$@" claude-code PreToolUse 2>&1
echo "dispatch $?"
`;

/** Two jobs, of which one runs when the disk fills up and one waits; then there is room again. */
const QUEUED = `
mount -t tmpfs -o size=3m tmpfs "$HOME" || exit 1
cat >.anyhook/hooks.yaml <<'END'
hooks:
  - { name: late, events: PostToolUse, async: true, command: "until [ -f go ]; do sleep 0.05; done; echo ran >>ran" }
END
echo '{ "async_limit": 1 }' >.anyhook/settings.json
"$NODE" "$CLI" materialize --quiet || exit 1
fire() {
  printf '{"session_id":"s","cwd":"%s","tool_name":"Bash","tool_input":{"command":"%s"}}' "$PWD" "$2" |
    "$DISPATCH" claude-code "$1" >"$PWD/out" 2>"$PWD/err"
}
busy() { [ -n "$(find "$SLOT/queue" -name 'seat.*')" ]; }
until_idle() { n=0; while busy && [ $n -lt 300 ]; do sleep 0.1; n=$((n + 1)); done; }
fire PostToolUse a
fire PostToolUse b
n=0; until [ -n "$(find "$SLOT/run" -name 'async.*.cur')" ] || [ $n -ge 300 ]; do sleep 0.1; n=$((n + 1)); done
dd if=/dev/zero of="$HOME/fill" bs=4k 2>/dev/null
touch go
until_idle
rm "$HOME/fill"
fire PreToolUse c
until_idle
n=0; while [ -n "$(find "$SLOT/queue" -name '*.job')" ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n + 1)); done
until_idle
echo "ran $(grep -c ran ran)"
echo "lost $(find "$SLOT/queue/lost" -name '*.0' | grep -c .)"
find "$SLOT/queue" -name '*.job' -o -name '*.run'
grep -rh '"lane":"async"' "$HOME" --include='*.jsonl' | grep -o '"status":"[a-z]*"'
`;

function inside(script: string, lane: Lane): { project: Project; said: string[] } {
  const project = makeProject({ ".anyhook/hooks.yaml": HOOKS });
  projects.push(project);
  const env = {
    ...project.env,
    PATH: lanePath(project, lane),
    ...{ NODE: process.execPath, CLI, DISPATCH, SLOT: project.layout.slot },
    ...(lane.node ? { ANYHOOK_LANE: "node" } : {}),
  };
  const args = ["-m", "sh", "-c", script, "sh", ...lane.shell, DISPATCH];
  const { stdout, stderr } = spawnSync("unshare", args, {
    cwd: project.root,
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return { project, said: stdout.trimEnd().split("\n") };
}

const lanes = [...shellLanes(), NODE_LANE];
const raw = (said: readonly string[]): string[] =>
  said.filter((line) => /cannot create|I\/O error|Illegal number|No space|dispatch\.sh/.test(line));

describe.skipIf(!mounts)("with mounts of our own", () => {
  test.each(lanes)("a disk that is nearly full opens no door: $name", (lane) => {
    const { said } = inside(FILL, lane);
    const exits = said.filter((line) => !line.startsWith("err "));
    const free = [0, 1, 2, 3, 4, 5, 6, 7, 20];
    expect(exits).toEqual([
      ...free.map((pages) => `Bash ${pages} 2`),
      ...free.map((pages) => `Read ${pages} 0`),
    ]);
    expect(said).toContain("err no");
    expect(said.join("\n")).toContain("err anyhook: the store cannot be written (");
    expect(raw(said)).toEqual([]);
  });

  test.each(lanes)("a store that cannot be written is called that: $name", (lane) => {
    const { project, said } = inside(READONLY, lane);
    const broken = `err anyhook: the store cannot be written (${project.layout.slot}): the hooks of claude-code PreToolUse could not run or be heard`;
    const told = said.filter((line) => !line.includes("cannot write the ledger"));
    expect(told).toEqual([
      "Bash 2",
      broken,
      "err the store cannot be written, and a hook is set to block when it fails (see anyhook status)",
      "Read 0",
      broken,
      "Write 0",
      ...(lane.node ? [broken] : []),
    ]);
  });

  test("no async job is lost without a word", () => {
    const { said } = inside(QUEUED, lanes[0]!);
    const lost = Number(said.find((line) => line.startsWith("lost "))?.slice(5));
    const rest = said.filter((line) => !line.startsWith("lost "));
    expect(rest[0]).toBe("ran 2");
    expect(rest.slice(1).filter((line) => !/^"status":"(?:ok|failed)"$/.test(line))).toEqual([]);
    expect(rest.length - 1 + lost).toBe(2);
  });

  test("a lock that cannot be made is not waited for", () => {
    const { project, said } = inside(LOCKED, lanes[0]!);
    const { slot } = project.layout;
    expect(said).toEqual([
      expect.stringContaining(`anyhook: cannot be written, the file system is read-only: ${slot}`),
      "  ANYHOOK_HOME puts the store elsewhere",
      "status 3",
      `anyhook: the store cannot be written (${slot}): the hooks of claude-code PreToolUse could not run or be heard`,
      "the store cannot be written, and a hook is set to block when it fails (see anyhook status)",
      "dispatch 2",
    ]);
  });
});
