#!/bin/sh
. "$ANYHOOK_LIB"
. "$ANYHOOK_PROJECT_DIR/.anyhook/governs.sh"
spec_turn

told=$(spec_governed "$ANYHOOK_PATHS" | while IFS='	' read -r path node title; do
  spec_seen "edited:$path" && continue
  spec_mark "edited:$path"
  printf '%s is governed by %s (%s): keep the two in step.\n' "$path" "$node" "$title"
done)
[ -z "$told" ] || hook_context "$told"
