# The watchdog's slow half: sourced by dispatch.sh's background watcher once a tenth of a second
# has passed, and by async.sh. The last line of
# AH_RUN.cur says what runs: pid row limit start.

ah_watch() {
  ah_current || return 0
  if [ "$ah_w_row" != "$ah_w_last" ]; then ah_w_last=$ah_w_row ah_w_done=; fi
  [ -z "$ah_w_done" ] || return 0
  ah_clock
  if [ $((AH_T - ah_w_start)) -ge "$ah_w_limit" ]; then
    ah_w_was=$ah_w_row ah_w_then=$ah_w_limit
    printf '%s\n' "no answer within $ah_w_limit ms" >"$AH_RUN.late.$ah_w_row"
    # Node may be through with it meanwhile; it notes that and looks for our file before it goes on.
    ah_current
    if [ "$ah_w_row $ah_w_limit" != "$ah_w_was $ah_w_then" ]; then rm -f "$AH_RUN.late.$ah_w_was"; return 0; fi
    ah_end "no answer within $ah_w_limit ms"
  elif [ -n "$(find "$AH_RUN.out.$ah_w_row" "$AH_RUN.err.$ah_w_row" -size +131072 2>/dev/null)" ]; then
    ah_end "printed more than 64 MB"
  fi
}

# Nobody is left to answer: end the hook that runs and take the traces away.
ah_abandon() {
  if [ -f "$AH_RUN.cur" ] && ah_current; then ah_end "$1"; fi
  # What detached hooks had to say goes to the next event.
  [ ! -d "$AH_SLOT/inbox" ] || { . "$AH_SHELL/queue.sh"; ah_inbox_back; }
  set +f
  rm -f "$AH_RUN".*
  set -f
}

ah_current() {
  ah_w_start=
  while read -r ah_w_1 ah_w_2 ah_w_3 ah_w_4; do
    ah_w_pid=$ah_w_1 ah_w_row=$ah_w_2 ah_w_limit=$ah_w_3 ah_w_start=$ah_w_4
  done <"$AH_RUN.cur"
  [ -n "$ah_w_start" ]
}

# TERM, a moment to clean up, then KILL, to the hook and everything it started.
ah_end() {
  ah_w_done=1
  # The dispatcher may have answered meanwhile, and sends us away: not before all are gone.
  trap '' TERM
  printf '%s\n' "$1" >"$AH_RUN.late.$ah_w_row"
  ah_signal TERM "$ah_w_pid" "ANYHOOK_RUN=$ah_w_mark.$ah_w_row;"
  # At the end of a session there is hardly a second for everything.
  if [ "$AH_EVENT" = SessionEnd ]; then sleep 0.05; else sleep 0.2; fi 2>/dev/null || sleep 1
  ah_signal KILL "$ah_w_pid" "ANYHOOK_RUN=$ah_w_mark.$ah_w_row;"
  ah_signal KILL "$ah_w_pid" "ANYHOOK_RUN=$ah_w_mark.$ah_w_row;"
  true >"$AH_RUN.ended.$ah_w_row"
  trap 'exit 0' TERM
}

# Signal, root process, and the mark that the hook's environment carries: by group, by descent and
# by mark, so that a grandchild that was handed to init is found as well.
ah_signal() {
  [ -z "$BASH_VERSION" ] || kill -"$1" -- "-$2" 2>/dev/null
  set +f
  ah_list=$(ah_descendants "$2")
  if [ -d /proc/self ]; then
    for ah_f in $(grep -l "$3" /proc/[0-9]*/environ 2>/dev/null); do
      ah_f=${ah_f#/proc/} ah_list="$ah_list ${ah_f%/environ}"
    done
  fi
  set -f
  kill -"$1" $ah_list 2>/dev/null
}

ah_descendants() {
  ps -A -o pid= -o ppid= 2>/dev/null | awk -v root="$1" '
    { parent[$1] = $2 }
    END {
      keep[root] = 1; grew = 1
      while (grew) { grew = 0; for (p in parent) if (!(p in keep) && (parent[p] in keep)) { keep[p] = 1; grew = 1 } }
      for (p in keep) printf "%s ", p
    }'
}

# Node keeps the event's time itself; where it does not, it is lost in something of ours.
ah_watch_node() {
  read -r ah_p ah_x <"$AH_RUN.limit" || return 0
  ah_clock
  [ $((AH_T - AH_BEGAN)) -ge $((ah_x + 3000)) ] || return 0
  true >"$AH_RUN.overdue"
  kill -KILL "$ah_p"
}

# The payload never ended: stop reading it. The reader is our parent's child, and it sleeps; one
# that works is left alone.
ah_watch_stdin() {
  for ah_p in $(ps -A -o pid= -o ppid= -o state= -o comm= 2>/dev/null | awk -v top="$$" '$2 == top && $3 ~ /^[SI]/ && $4 ~ /awk|busybox/ { print $1 }'); do
    kill -KILL "$ah_p" 2>/dev/null
  done
}

ah_w_mark=$$.$AH_BEGAN
