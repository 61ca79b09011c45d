# The node lane: sourced by run.sh when a chosen hook is no command.

# One Node process for all hooks of the event. Its answer comes in files, so that nothing a module
# prints can mix with it. It notes each outcome as it goes: if a module takes the process down or
# has to be ended with it, the next process goes on after that module.
ah_node() {
  ah_js=${ANYHOOK_NODE:-$AH_NODE}
  [ -x "$ah_js" ] || ah_js=$AH_NODE_INSTALLED
  [ -x "$ah_js" ] || ah_js=$(command -v node)
  ah_why="node is not on PATH" ah_n=0 ah_rows= ah_from=$AH_PAYLOAD
  [ ! -f "$AH_RUN.native" ] || ah_from=$AH_RUN.native
  [ ! -f "$AH_RUN.orig" ] || ah_from=$AH_RUN.orig
  while [ -n "$ah_js" ] && [ $ah_n -le "$AH_ROWS" ]; do
    (
      unset AH_JOB
      ANYHOOK_DEPTH=$AH_DEPTH
      export ANYHOOK_DEPTH AH_SLOT AH_GEN AH_ROOT AH_STATE AH_LEDGER AH_RUN AH_PAUSED AH_NOTICE AH_SHELL AH_BEGAN AH_HASH AH_INBOX AH_IGNORED AH_BY
      exec 2>/dev/null
      exec "$ah_js" "$AH_DIST/dispatch.cjs" "$AH_HARNESS" "$AH_EVENT" <"$ah_from" >/dev/null 2>"$AH_RUN.node"
    ) &
    { printf '%s %s\n' $! "$AH_BUDGET" >"$AH_RUN.limit"; } 2>/dev/null
    wait $! 2>/dev/null
    ah_exit=$?
    [ ! -f "$AH_RUN.overdue" ] || ah_exit="9: it took longer than the event may"
    [ ! -f "$AH_RUN.done" ] || ah_relay
    ah_why="node ended with $ah_exit"
    # Died before or outside any module: trying again would not help.
    if [ ! -f "$AH_RUN.cur" ]; then
      # Ended from outside while hooks ran: what they said is noted, so once more from there.
      [ -f "$AH_RUN.outcomes" ] && [ $ah_n -eq 0 ] || break
      ah_n=1
      continue
    fi
    while read -r ah_pid ah_row ah_rest; do ah_x=$ah_row; done <"$AH_RUN.cur"
    ah_row=$ah_x
    case "$ah_rows," in *",$ah_row,"*) break ;; esac
    ah_rows="$ah_rows,$ah_row" ah_n=$((ah_n + 1))
    [ -f "$AH_RUN.late.$ah_row" ] || { printf 'ended the whole process (exit %s)\n' "$ah_exit" >"$AH_RUN.died.$ah_row"; } 2>/dev/null
  done
  [ ! -s "$AH_RUN.node" ] || { read -r ah_x <"$AH_RUN.node"; ah_why="$ah_why: $ah_x"; }
  AH_UNCOUNTED=1
  ah_hook() {
    ah_row=$1 ah_name=$3 ah_block=$5 ah_onfail=$8 ah_t=$AH_T AH_MISSING= AH_ONCE=
    ah_result failed "" "$ah_why"
  }
  ah_plan
  ah_answer
}

ah_relay() {
  ah_x=
  read -r ah_x <"$AH_RUN.done"
  # Empty on a full disk: Node has no more answered than if it had died.
  case $ah_x in *[!0-9]* | '') return 0 ;; esac
  ah_exit=$ah_x
  [ ! -f "$AH_RUN.queued" ] || { . "$AH_SHELL/queue.sh"; AH_QUEUED=1; }
  [ ! -f "$AH_RUN.untold" ] || ah_inbox_back
  [ ! -s "$AH_RUN.reply.out" ] || cat "$AH_RUN.reply.out"
  [ ! -s "$AH_RUN.reply.err" ] || cat "$AH_RUN.reply.err" >&2
  ah_leave "$ah_exit"
}
