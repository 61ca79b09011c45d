# The queue of detached hooks, <slot>/queue: sourced where there is something to queue or to tell.
#   <job>.in                     the payload
#   <job>.<attempt>.job          waits; shell text, see job.awk. Written, then renamed into place.
#   <job>.<attempt>.<who>.run    runs; who = process id and the moment it started
#   lost/<job>.<attempt>         given up; kept for a month
#   seat.<n>                     a runner, one per seat: the bound on how many run at once
#   pending                      there may be something to do
# A job's name begins with the time, so that names in order are jobs in order.

AH_QUEUE_MOST=1000

# The job is on disk before the harness has its answer.
ah_enqueue() {
  ah_q=$AH_SLOT/queue ah_why="could not be queued: the store cannot be written"
  [ -d "$ah_q/lost" ] || (umask 077; mkdir -p "$ah_q/lost") 2>/dev/null || return 1
  ah_waiting
  if [ $ah_n -ge $AH_QUEUE_MOST ]; then ah_why="not queued: $AH_QUEUE_MOST wait already"; return 1; fi
  ah_j=$ah_q/$AH_JOB_NAME-$$
  # A command is started with what it reads; Node decodes what the harness sent.
  ah_input
  case $AH_WIRE.$ah_kind.$ah_flags in
    wire.script.*c* | wire.shell.*c* | wire.exec.*c*) ah_in=$AH_RUN.native ;;
    wire.script.* | wire.shell.* | wire.exec.*) ;;
    wire.*) ah_in=$AH_RUN.native ;;
  esac
  {
    true >>"$ah_q/pending" && cp "$ah_in" "$ah_j.in" && printf '%s' "$AH_JOB" >"$ah_j.new" &&
      mv "$ah_j.new" "$ah_j.0.job" && true >>"$ah_q/pending"
  } 2>/dev/null && return
  rm -f "$ah_j".* 2>/dev/null
  return 1
}

# How many, in ah_n.
ah_waiting() { set +f; set -- "$AH_SLOT"/queue/*.job; set -f; ah_n=$#; [ -e "$1" ] || ah_n=0; }
ah_seated() { set +f; set -- "$AH_SLOT"/queue/seat.*; set -f; ah_n=$#; [ -e "$1" ] || ah_n=0; }

# In a session of its own where the system can: ending the harness's process group ends no job.
ah_runner() {
  {
    exec </dev/null >/dev/null 2>&1
    trap '' HUP
    trap - TERM INT EXIT
    export AH_LEDGER AH_STATE AH_NODE AH_DIST AH_ASYNC
    if command -v setsid; then exec setsid /bin/sh "$AH_SHELL/async.sh" "$AH_SLOT"; fi
    exec /bin/sh "$AH_SHELL/async.sh" "$AH_SLOT"
  } &
}

# Nobody works although something may be waiting: the machine died, or the runner did.
ah_revive() {
  set +f
  for ah_f in "$AH_SLOT"/queue/seat.*; do
    ah_x=
    { read -r ah_x <"$ah_f"; } 2>/dev/null
    if [ -n "$ah_x" ] && ah_lives "$ah_x"; then set -f; return; fi
  done
  set -f
  AH_QUEUED=1
}

# pid-start of somebody who still is that somebody; a reused pid is not, nor is a zombie.
ah_lives() {
  kill -0 "${1%%-*}" 2>/dev/null || return 1
  ah_since "${1%%-*}"
  [ "$AH_SINCE" != dead ] || return 1
  [ -z "$AH_SINCE" ] || [ -z "${1#*-}" ] || [ "$AH_SINCE" = "${1#*-}" ]
}

ah_since() {
  AH_SINCE=
  { read -r ah_s <"/proc/$1/stat"; } 2>/dev/null || return 0
  set -- ${ah_s##*) }
  case $1 in Z | X) AH_SINCE=dead ;; *) AH_SINCE=${20} ;; esac
}

# What detached hooks of this session have said, taken by renaming: one event gets it, whole.
ah_inbox() {
  [ -n "$AH_TAKES" ] && [ "$AH_RAW" != 1 ] && [ -n "$AH_STOP_KEY" ] || return 0
  set +f
  for ah_f in "$AH_SLOT/inbox/$AH_STOP_KEY".*; do
    [ -f "$ah_f" ] || continue
    ah_x=${ah_f##*/}
    mv "$ah_f" "$AH_RUN.inbox.$ah_x" 2>/dev/null || continue
    AH_TELL=1 AH_INBOX="$AH_INBOX$ah_x
"
  done
  set -f
}

# The reply had no room for it, or nobody will get it: it waits for the next event.
ah_inbox_back() {
  set +f
  for ah_f in "$AH_RUN".inbox.*; do
    [ ! -f "$ah_f" ] || mv "$ah_f" "$AH_SLOT/inbox/${ah_f##*.inbox.}" 2>/dev/null
  done
  set -f
}

ah_told() {
  if [ -n "$AH_UNTOLD" ]; then ah_inbox_back; return; fi
  ah_ifs=$IFS
  IFS='
'
  for ah_f in $AH_INBOX; do
    { read -r ah_x <"$AH_RUN.inbox.$ah_f"; } 2>/dev/null && AH_NOTES="$AH_NOTES,\"told what $ah_x said\""
  done
  IFS=$ah_ifs
}
