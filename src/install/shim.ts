import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Adapter } from "../adapters/_contract.ts";
import { shimOf, type Site } from "./site.ts";
import { announcer, lostNotice, quote } from "./stanza.ts";

/**
 * What every harness calls. The package that wrote it is recorded inside: one test in the normal
 * case. When that package has moved, it is looked for where npm puts it and through PATH; when it
 * is gone, the session goes on, with one notice when it starts.
 */
export function shimText({ package: folder, node }: Pick<Site, "package" | "node">): string {
  return `#!/bin/sh
# Written by anyhook install: finds the anyhook of this machine and hands it the event.
AH_NODE_INSTALLED=${quote(node)}
export AH_NODE_INSTALLED
d=${quote(join(folder, "shell", "dispatch.sh"))}
[ -r "$d" ] && exec /bin/sh "$d" "$@"
found() { [ -n "$1" ] && [ -r "$1" ] && d=$1; }
near() { case $1 in */bin/node) found "\${1%/bin/node}/lib/node_modules/anyhook/shell/dispatch.sh" ;; *) false ;; esac; }
read -r moved 2>/dev/null <"$0.moved" || moved=
if found "$moved" || near "$AH_NODE_INSTALLED" || near "$(command -v node)" || found "$(anyhook path dispatch 2>/dev/null)"; then
  [ "$d" = "$moved" ] || { printf '%s\\n' "$d" >"$0.$$" && mv -f "$0.$$" "$0.moved"; } 2>/dev/null
  exec /bin/sh "$d" "$@"
fi
# Once per session: only the event that starts one has a notice.
if [ -r "$0.lost/$1.$2" ]; then
  cat "$0.lost/$1.$2"
  echo "anyhook: its package is gone (it was in \${d%/shell/dispatch.sh}): no hook runs" >&2
fi
exit 0
`;
}

/** Writes what differs and nothing else; true when something was written. */
export function writeShim(site: Site, adapters: readonly Adapter[]): boolean {
  const shim = shimOf(site);
  const files = { [shim]: shimText(site), ...lostTexts(shim, adapters) };
  const stale = Object.entries(files).filter(
    ([file, text]) => contentOf(file) !== text || (file === shim && !isExecutable(file)),
  );
  for (const [file, text] of stale) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, text);
    chmodSync(`${file}.${process.pid}`, file === shim ? 0o755 : 0o644);
    renameSync(`${file}.${process.pid}`, file);
  }
  if (stale.some(([file]) => file === shim)) rmSync(`${shim}.moved`, { force: true });
  return stale.length > 0;
}

function lostTexts(shim: string, adapters: readonly Adapter[]): Record<string, string> {
  const pairs = adapters.flatMap((adapter) => {
    const event = announcer(adapter);
    const surface = Object.entries(adapter.surfaces).find(([name]) => name === event)?.[1];
    const lost = surface && lostNotice(surface);
    const text = lost?.to === 1 ? `${lost.text}\n` : "";
    return surface ? [[join(`${shim}.lost`, `${adapter.id}.${event}`), text] as const] : [];
  });
  return Object.fromEntries(pairs);
}

export function removeShim(site: Site): void {
  const shim = shimOf(site);
  for (const file of [shim, `${shim}.moved`, `${shim}.lost`])
    rmSync(file, { recursive: true, force: true });
  removeEmpty(dirname(shim));
}

export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty, or not there.
  }
}

const isExecutable = (file: string): boolean => (statSync(file).mode & 0o111) !== 0;

const contentOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, "utf8") : undefined;
