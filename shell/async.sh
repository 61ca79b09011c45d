#!/bin/sh
# Runs detached hooks until the queue of one slot is empty, then ends: async.sh <slot>, with other
# places in the environment (AH_LEDGER AH_STATE AH_NODE AH_DIST, and AH_ASYNC: how many at once).
# Nobody waits for this, and it holds nothing of the harness. See queue.sh for the files.
set -f
unset CDPATH
AH_SHELL=${0%/*}
AH_SLOT=$1
# Whatever the harness had open beyond the first three: no reader of it may wait for us.
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
# Ours, and not the environment of hooks, which may dispatch events themselves.
for ah_x in AH_LEDGER AH_STATE AH_NODE AH_DIST AH_ASYNC; do
  eval "ah_y=\$$ah_x; unset $ah_x; $ah_x=\$ah_y"
done
. "$AH_SHELL/queue.sh"
. "$AH_SHELL/run.sh"
AH_QUEUE=$AH_SLOT/queue
# A job that took its runner down so often is given up.
AH_ATTEMPTS=3

ah_clock() {
  if read -r AH_T AH_X </proc/uptime; then AH_T=${AH_T%.*}${AH_T#*.}0; else AH_T=$(date +%s)000; fi
} 2>/dev/null

# A seat is a hard link, so that it has its content from the first moment.
ah_sit() {
  ah_i=0
  printf '%s\n' "$AH_WHO" >"$AH_QUEUE/who.$$" || return 1
  while [ $ah_i -lt "${AH_ASYNC:-1}" ]; do
    ah_i=$((ah_i + 1))
    AH_SEAT=$AH_QUEUE/seat.$ah_i
    if ln "$AH_QUEUE/who.$$" "$AH_SEAT" 2>/dev/null; then rm -f "$AH_QUEUE/who.$$"; return 0; fi
  done
  rm -f "$AH_QUEUE/who.$$"
  return 1
}

# What the dead have left: their seats, and their jobs, which wait again.
ah_bury() {
  set +f
  for ah_f in "$AH_QUEUE"/seat.* "$AH_QUEUE"/who.* "$AH_QUEUE"/dead.*; do
    ah_x=
    { read -r ah_x <"$ah_f"; } 2>/dev/null
    [ -n "$ah_x" ] && ! ah_lives "$ah_x" || continue
    mv "$ah_f" "$AH_QUEUE/dead.$$" 2>/dev/null && read -r ah_x <"$AH_QUEUE/dead.$$"
    # Somebody had just taken it over: give it back.
    if ah_lives "$ah_x"; then ln "$AH_QUEUE/dead.$$" "$ah_f" 2>/dev/null; fi
    rm -f "$AH_QUEUE/dead.$$"
  done
  for ah_f in "$AH_QUEUE"/*.run; do
    [ -f "$ah_f" ] || continue
    ah_x=${ah_f%.run}
    ah_lives "${ah_x##*.}" || ah_again "$ah_f" "${ah_x%.*}"
  done
  set -f
}

# claim, name with attempt
ah_again() {
  ah_x=$((${2##*.} + 1))
  if [ $ah_x -lt $AH_ATTEMPTS ]; then mv "$1" "${2%.*}.$ah_x.job" 2>/dev/null
  else ah_give_up "$1" "$2" "given up: its runner died $AH_ATTEMPTS times"; fi
}

ah_give_up() {
  mv "$1" "$AH_QUEUE/lost/${2##*/}" 2>/dev/null || return 0
  mv "${2%.*}.in" "$AH_QUEUE/lost/" 2>/dev/null
  # The first lines of a job hold nothing that could go over several; tried out, for they may be cut.
  AH_HEAD= ah_line= ah_meta= AH_STOP_KEY= AH_EVENT= AH_TOOL=
  ah_x=$(head -n 4 "$AH_QUEUE/lost/${2##*/}")
  if (eval "$ah_x") 2>/dev/null; then eval "$ah_x"; fi
  AH_RUN=$AH_QUEUE/lost/${2##*/}
  AH_RESULTS=$(printf '2\tfailed\t\t0\t%s' "$3")
  ah_write
  return 0
}

# The oldest job that waits, renamed to be ours. More wait: somebody may help, if there is a seat.
ah_take() {
  AH_CLAIM=
  set +f
  for ah_f in "$AH_QUEUE"/*.job; do
    [ -n "$AH_CLAIM" ] || [ ! -f "$ah_f" ] || {
      AH_CLAIM=${ah_f%.job}.$AH_WHO.run
      mv "$ah_f" "$AH_CLAIM" 2>/dev/null || AH_CLAIM=
      continue
    }
    [ -f "$ah_f" ] || continue
    ah_seated
    [ $ah_n -ge "${AH_ASYNC:-1}" ] || ah_runner
    break
  done
  set -f
  [ -n "$AH_CLAIM" ]
}

# Fails when there is no room for what the hook would say: then the job waits on.
ah_perform() {
  ah_job=${AH_CLAIM%.*.run} ah_whole= AH_HEAD= ah_line= ah_meta=
  ah_name= CLAUDE_PROJECT_DIR= AH_PATHS_CUT=
  . "$AH_CLAIM"
  AH_PAYLOAD=${ah_job%.*}.in
  if [ -z "$ah_whole" ] || [ ! -f "$AH_PAYLOAD" ]; then ah_give_up "$AH_CLAIM" "$ah_job" "given up: the job was damaged"; return 0; fi
  ah_clock
  AH_BEGAN=$AH_T AH_RUN=$AH_SLOT/run/async.$$.$AH_T AH_INDEX=$AH_SLOT/run/async.$$.$AH_T.index
  printf '%s\n%s\n' "$ah_meta" "$ah_line" >"$AH_INDEX" || { rm -f "$AH_INDEX"; mv "$AH_CLAIM" "$ah_job.job"; return 1; }
  cd -- "$AH_CWD" 2>/dev/null || cd /
  export PATH HOME
  ANYHOOK_HARNESS=$AH_HARNESS ANYHOOK_EVENT=$AH_EVENT ANYHOOK_PROJECT_DIR=$AH_ROOT ANYHOOK_EVENT_ID=$AH_ID
  ANYHOOK_DEPTH=$((AH_DEPTH + 1)) ANYHOOK_TOOL=$AH_TOOL ANYHOOK_PATHS=$AH_PATHS ANYHOOK_PATHS_CUT=$AH_PATHS_CUT ANYHOOK_LIB=$AH_SHELL/lib.sh ANYHOOK_STATE=$AH_STATE/own
  CLAUDE_PROJECT_DIR=${CLAUDE_PROJECT_DIR:-$AH_ROOT}
  export ANYHOOK_HARNESS ANYHOOK_EVENT ANYHOOK_PROJECT_DIR ANYHOOK_EVENT_ID ANYHOOK_DEPTH ANYHOOK_TOOL \
    ANYHOOK_PATHS ANYHOOK_PATHS_CUT ANYHOOK_LIB ANYHOOK_STATE CLAUDE_PROJECT_DIR
  # As run.sh wants it: the only hook, in the second line of its index, with all the time it likes.
  AH_RESULTS= AH_LISTED= AH_SPOKE= AH_ROWS=2 ah_left=$((ah_limit + 60000)) ah_t=$AH_T ah_row=2 ah_block=false ah_onfail=allow
  { exec </dev/null >/dev/null 2>&1; ah_dog; } &
  ah_dog=$!
  case $ah_kind.$ah_flags in
    script.*c* | shell.*c* | exec.*c*) ah_inside ;;
    script.* | shell.* | exec.*) ah_start "$@" ;;
    *) ah_inside ;;
  esac
  kill $ah_dog 2>/dev/null
  # What cannot be recorded is kept, where status counts it.
  ah_write || { mv "$AH_CLAIM" "$AH_QUEUE/lost/${ah_job##*/}" && mv "$AH_PAYLOAD" "$AH_QUEUE/lost/"; }
  rm -f "$AH_CLAIM" "$AH_PAYLOAD"
  set +f
  rm -f "$AH_RUN".*
  set -f
}

# A hook that is no command: Node runs it and leaves what it said in our files. Twice as long as
# its limit, because Node keeps the limit itself and has to start first.
ah_inside() {
  ah_js=${ANYHOOK_NODE:-$AH_NODE}
  [ -x "$ah_js" ] || ah_js=$(command -v node)
  if [ -z "$ah_js" ]; then ah_result failed "" "node is not on PATH"; return; fi
  ah_limit=$((ah_limit + 5000)) ah_flags=-
  ah_start env "AH_JOB=$AH_INDEX" "ANYHOOK_DEPTH=$AH_DEPTH" "AH_SLOT=$AH_SLOT" "AH_ROOT=$AH_ROOT" "AH_RUN=$AH_RUN" \
    "AH_SHELL=$AH_SHELL" "AH_STATE=$AH_STATE" "$ah_js" "$AH_DIST/dispatch.cjs" "$AH_HARNESS" "$AH_EVENT"
  [ ! -f "$AH_RUN.ran" ] || { AH_RESULTS=$(cat "$AH_RUN.ran")"
"; }
}

# Should we be killed, nobody else would end the hook.
ah_dog() {
  while sleep 0.1 2>/dev/null || sleep 1; do
    . "$AH_SHELL/watch.sh"
    kill -0 $$ 2>/dev/null || { ah_abandon "its runner was ended"; exit 0; }
    [ ! -f "$AH_RUN.cur" ] || ah_watch
  done
}

# The ledger line, the streak, and the message: async.awk knows what they say. Fails without a line.
ah_write() {
  AH_LINE= AH_DAY= AH_MESSAGE=
  eval "$(
    export AH_RESULTS AH_RUN AH_HEAD AH_HASH AH_STATE AH_STOP_KEY AH_EVENT AH_TOOL ah_line ah_meta
    LC_ALL=C exec awk -f "$AH_SHELL/json.awk" -f "$AH_SHELL/members.awk" -f "$AH_SHELL/facts.awk" -f "$AH_SHELL/streak.awk" \
      -f "$AH_SHELL/verdict.awk" -f "$AH_SHELL/redact.awk" -f "$AH_SHELL/async.awk" </dev/null
  )"
  [ -n "$AH_LINE" ] && printf '%s\n' "$AH_LINE" >>"$AH_LEDGER/$AH_DAY.jsonl" || return 1
  [ -n "$AH_MESSAGE" ] || return 0
  [ -d "$AH_SLOT/inbox" ] || (umask 077; mkdir -p "$AH_SLOT/inbox")
  ah_x=${ah_job%.*}
  mv "$AH_RUN.message" "$AH_SLOT/inbox/$AH_STOP_KEY.${ah_x##*/}"
}

ah_since $$
AH_WHO=$$-$AH_SINCE
[ -z "$BASH_VERSION" ] || set -m
while :; do
  ah_bury
  # All seats are taken: whoever sits there looks again before leaving.
  ah_sit || exit 0
  while ah_take; do ah_perform || { rm -f "$AH_SEAT"; exit 0; }; done
  rm -f "$AH_SEAT"
  # Others may have died meanwhile.
  ah_bury
  ah_seated
  if [ $ah_n -eq 0 ]; then rm -f "$AH_QUEUE/pending"; fi
  ah_waiting
  [ $ah_n -gt 0 ] || exit 0
  true >>"$AH_QUEUE/pending"
done
