# Are we called, and do all hooks run? Sourced by dispatch.sh when a session ends, and when one begins
# and there is something to say. <store>/liveness holds:
#   looked            when it was last compared
#   found             what is to be said, once: key, tab, words (src/install/findings.ts)
#   known             what was found before
#   called.<harness>  the last call that concerned no hook, and so is in no ledger

# In a process that nobody waits for, and that is started every ten minutes at most.
ah_compare() {
  {
    exec </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    trap '' HUP
    trap - TERM INT EXIT
    ah_l=$AH_STORE/liveness
    [ -d "$ah_l" ] || (umask 077; mkdir "$ah_l")
    [ -z "$(find "$ah_l/looked" -mmin -10)" ] || exit 0
    true >"$ah_l/looked" || exit 0
    ah_js=${ANYHOOK_NODE:-$AH_NODE}
    [ -x "$ah_js" ] || ah_js=$AH_NODE_INSTALLED
    [ -x "$ah_js" ] || ah_js=$(command -v node) || exit 0
    if command -v setsid; then exec setsid "$ah_js" "$AH_DIST/cli.js" status --keep; fi
    exec "$ah_js" "$AH_DIST/cli.js" status --keep
  } &
}

# Only where the person gets to see it; else it waits for another session. Taken by renaming, so that
# of two sessions that begin together one says it.
ah_found() {
  [ "$AH_DEPTH" = 0 ] && [ "$AH_RAW" != 1 ] && grep -q '^reply	pass	.*\$N' "$AH_FACTS" || return 0
  mv "$AH_STORE/liveness/found" "$AH_RUN.found" 2>/dev/null || return 0
  AH_RAN=1
  while IFS='	' read -r ah_x ah_y; do
    [ -z "$ah_y" ] || AH_NOTICE="${AH_NOTICE:+$AH_NOTICE
}$ah_y"
  done <"$AH_RUN.found"
}
