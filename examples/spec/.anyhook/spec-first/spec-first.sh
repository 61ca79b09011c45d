#!/bin/sh
. "$ANYHOOK_LIB"
. "$ANYHOOK_PROJECT_DIR/.anyhook/governs.sh"
spec_turn

if [ "$ANYHOOK_TOOL" = Bash ]; then read_paths=$(hook_field tool_input.command | spec_reads)
else read_paths=$ANYHOOK_PATHS; fi
[ -n "$read_paths" ] || exit 0

# A node that is read itself needs no further word.
spec_each "$read_paths" | while IFS= read -r path; do
  case $path in "$SPEC_ROOT"/*.md) spec_mark "$path" ;; esac
done

held=$(spec_governed "$read_paths" | while IFS='	' read -r path node title; do
  spec_seen "$node" && continue
  spec_mark "$node"
  printf '%s is governed by %s (%s).\n' "$path" "$node" "$title"
done)
[ -z "$held" ] || hook_deny "$held
Read the spec first, then do this again: it will not be held back twice."
