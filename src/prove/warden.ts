import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * A process of its own that knows what is promised, for the one ending that nobody can catch. It reads
 * `+group 12`, `-group 12`, `+folder /tmp/x` …; when we are gone its input ends, and it does what is
 * left to do: end groups, end who still has a home in a folder, remove folders.
 */
const SCRIPT = `trap '' HUP INT TERM
set -f
NL='
'
all=
while IFS= read -r line; do
  case $line in
    +*) all=$all\${line#+}$NL ;;
    -*)
      left= IFS=$NL
      for one in $all; do [ "$one" = "\${line#-}" ] || left=$left$one$NL; done
      all=$left ;;
  esac
done
IFS=$NL
for one in $all; do case $one in group*) kill -KILL -- "-\${one#group }" ;; esac; done
for one in $all; do
  case $one in folder*) one=\${one#folder } ;; *) continue ;; esac
  set +f
  for file in $(grep -lsF "HOME=$one/home" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    kill -KILL "\${file%/environ}"
  done
  set -f
  rm -rf "$one" || { sleep 1; rm -rf "$one"; }
done`;

let warden: Writable | undefined;

/** Promises something; call what is returned when it is done. */
export function pledged(what: string): () => void {
  if (what === "" || what.includes("\n")) return () => undefined;
  warden ??= started();
  const to = warden;
  to.write(`+${what}\n`);
  return () => void to.write(`-${what}\n`);
}

function started(): Writable {
  const env = { PATH: process.env["PATH"] ?? "" };
  const child = spawn("/bin/sh", ["-c", SCRIPT], {
    ...{ cwd: "/", env, detached: true },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without it everything is still done, unless we are killed.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.unref();
  (child.stdin as Writable & { unref?: () => void }).unref?.();
  return child.stdin;
}
