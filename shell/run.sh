# Running the chosen hooks, in order, and answering. Sourced by dispatch.sh when there are any.

ah_run() {
  AH_RAN=1 AH_RESULTS= AH_CERTAIN= AH_SPOKE=$AH_NOTICE$AH_TELL AH_UNSTEPPED= AH_BLOCKED= AH_STOP= AH_MISSING= AH_ONCE=
  [ "$AH_LANE" != node ] || { . "$AH_SHELL/node.sh"; ah_node && return; }
  ANYHOOK_HARNESS=$AH_HARNESS ANYHOOK_EVENT=$AH_EVENT ANYHOOK_PROJECT_DIR=$AH_ROOT
  ANYHOOK_EVENT_ID=$AH_ID ANYHOOK_DEPTH=$((AH_DEPTH + 1))
  ANYHOOK_LIB=$AH_SHELL/lib.sh ANYHOOK_STATE=$AH_STATE/own
  # Hooks that were written for Claude Code find their project by this name, on every harness.
  CLAUDE_PROJECT_DIR=${CLAUDE_PROJECT_DIR:-$AH_ROOT}
  export ANYHOOK_HARNESS ANYHOOK_EVENT ANYHOOK_PROJECT_DIR ANYHOOK_EVENT_ID ANYHOOK_DEPTH ANYHOOK_TOOL \
    ANYHOOK_PATHS ANYHOOK_PATHS_CUT ANYHOOK_LIB ANYHOOK_STATE CLAUDE_PROJECT_DIR
  # Own process groups where the shell can make them without a terminal; else watch.sh walks the tree.
  [ -z "$BASH_VERSION" ] || set -m
  ah_clock
  while :; do
    # A rewrite may have changed them.
    ANYHOOK_TOOL=$AH_TOOL ANYHOOK_PATHS=$AH_PATHS ANYHOOK_PATHS_CUT=$AH_PATHS_CUT
    AH_REPLAN=
    ah_plan
    [ -n "$AH_REPLAN" ] || break
    eval "$(ah_plan_now <"$AH_PAYLOAD")"
    # The new input concerns a hook that is no command: Node goes on from here.
    if [ "$AH_LANE" = node ]; then
      { printf '%s' "$AH_RESULTS" >"$AH_RUN.shell"; } 2>/dev/null || ah_lost
      . "$AH_SHELL/node.sh"
      ah_node
    fi
  done
  if [ -z "$AH_SPOKE$AH_TELL" ]; then
    ah_record '{"verdict":"pass"}'
    ah_leave 0
  fi
  ah_answer
}

# Checked before the start: an interpreter that exits 2 because its file is missing is no block.
ah_need() {
  case $1 in
    '{project}'*) set -- "$AH_ROOT${1#'{project}'}" ;;
    '{home}'*) set -- "$HOME${1#'{home}'}" ;;
  esac
  case $1 in
    */*) [ -e "$1" ] || AH_MISSING="$1 does not exist" ;;
    *) command -v "$1" >/dev/null 2>&1 || AH_MISSING="$1 is not on PATH" ;;
  esac
}

ah_once() { AH_ONCE=$1; }

# row kind name timeout block chain flags on_failure broken argv… ; returns 1 to have the rest planned anew.
ah_hook() {
  ah_row=$1 ah_kind=$2 ah_name=$3 ah_limit=$4 ah_block=$5 ah_chain=$6 ah_flags=$7 ah_onfail=$8 ah_broken=$9
  shift 9
  ah_missing=$AH_MISSING AH_MISSING= ah_once=$AH_ONCE AH_ONCE=
  ah_t=$AH_T ah_left=$((AH_BUDGET - AH_T + AH_BEGAN))
  if [ -n "$AH_STOP" ]; then ah_result skipped "" "$AH_STOP"; return; fi
  # Nobody below uses up the time of managed hooks; a detached one needs none.
  case $ah_flags in *a*) ah_left=1 ;; *m*) ;; *) ah_left=$((ah_left - ${AH_RESERVE:-0})) ;; esac
  # Nobody asked it: that is no answer, so its on_failure decides.
  if [ $ah_left -le 0 ]; then ah_result timeout "" "no time left for this event"; return; fi
  [ -z "$ah_once" ] || { true >"$ah_once"; } 2>/dev/null
  if [ "$ah_kind" = script ] && [ -z "$ah_broken$ah_missing" ]; then
    if [ ! -f "$1" ]; then ah_missing="$1 does not exist"
    elif [ ! -x "$1" ]; then ah_missing="$1 is not executable"; fi
  fi
  ah_missing=${ah_broken:-$ah_missing}
  if [ -n "$ah_missing" ]; then ah_result failed "" "$ah_missing"; return; fi
  case $ah_flags in *a*) ah_async; return ;; esac
  ah_start "$@"
}

ah_start() {
  [ $ah_left -ge "$ah_limit" ] || ah_limit=$ah_left
  ah_input
  {
    {
      ah_mark
      exec "$@"
    } <"$ah_in" >"$AH_RUN.out.$ah_row" 2>"$AH_RUN.err.$ah_row" &
    ah_pid=$!
    # Appended: to cut a file that exists and write it again costs a flush on some file systems.
    printf '%s %s %s %s\n' $ah_pid "$ah_row" "$ah_limit" "$ah_t" >>"$AH_RUN.cur"
  } 2>/dev/null
  # Some shells announce a killed child on stderr, which is the harness's.
  wait $ah_pid 2>/dev/null
  ah_exit=$?
  ah_clock
  if [ -f "$AH_RUN.late.$ah_row" ]; then
    read -r ah_why <"$AH_RUN.late.$ah_row"
    # The hook is gone; let the watchdog finish with what the hook had started, unless there is no time.
    ah_n=0
    [ "$AH_BUDGET" -gt 2000 ] || ah_n=40
    until [ -f "$AH_RUN.ended.$ah_row" ] || [ $ah_n -ge 40 ]; do
      sleep 0.05 2>/dev/null || sleep 1
      ah_n=$((ah_n + 1))
    done
    ah_result timeout "" "$ah_why"
  elif ah_unheard; then ah_result failed "" "the store cannot be written ($AH_SLOT)"
  elif [ $ah_exit -gt 128 ]; then ah_result failed "" "killed by signal $((ah_exit - 128))"
  elif [ $ah_exit -eq 126 ]; then ah_result failed 126 "exit 126: something in it is not executable"
  elif [ $ah_exit -eq 127 ]; then ah_result failed 127 "exit 127: a command in it was not found"
  else ah_finished; fi
}

# Its answer had no file to go to, or a guard may have said more than there was room for.
ah_unheard() {
  [ -f "$AH_RUN.err.$ah_row" ] || return 0
  [ "$ah_onfail" = block ] && [ $ah_exit -ne 2 ] && ! ah_room results
}

# Is there room for one more file with something in it?
ah_room() { { printf 'room\n' >"$AH_RUN.$1"; } 2>/dev/null; }

# What the hook reads: the native payload where it asked for it and that is another.
ah_input() {
  ah_in=$AH_PAYLOAD
  case $AH_WIRE$ah_flags in wire*w*) ah_in=$AH_RUN.native ;; esac
}

# Only in the hook's own process: the mark is how the watchdog finds everything the hook started.
ah_mark() {
  ANYHOOK_HOOK=$ah_name ANYHOOK_RUN="$$.$AH_BEGAN.$ah_row;"
  export ANYHOOK_HOOK ANYHOOK_RUN
  case $ah_flags in *v*) "ah_env_$ah_row" ;; esac
}

ah_finished() {
  ah_result ok $ah_exit ""
  if [ $ah_exit -eq 0 ] && [ ! -s "$AH_RUN.out.$ah_row" ] && [ ! -s "$AH_RUN.err.$ah_row" ]; then return 0; fi
  AH_SPOKE=1
  if [ "$ah_row" -ge "$AH_ROWS" ]; then AH_UNSTEPPED=$ah_row; return 0; fi
  ah_first=$AH_CHAIN
  [ "$ah_chain" = - ] || ah_first=$ah_chain
  if [ -z "$AH_REWRITES" ] && [ "$ah_first" = run-all ]; then return 0; fi
  AH_BLOCKED= AH_REWROTE= AH_STEPPED=
  AH_STEP=$ah_row AH_STEP_EXIT=$ah_exit
  # Should Node have to go on from here, it begins with what the harness sent.
  if [ -n "$AH_REWRITES" ] && [ -s "$AH_RUN.out.$ah_row" ] && [ ! -f "$AH_RUN.orig" ]; then
    ah_x=$AH_PAYLOAD
    [ -z "$AH_WIRE" ] || ah_x=$AH_RUN.native
    cp "$ah_x" "$AH_RUN.orig" 2>/dev/null || ah_lost
  fi
  { eval "$(ah_merge_now)"; } 2>/dev/null
  AH_STEP=
  # Cut short, it may have left half an input for the hooks that follow.
  [ -n "$AH_STEPPED" ] || ah_lost
  if [ -n "$AH_BLOCKED" ] && [ "$ah_first" = first-block ]; then AH_STOP="an earlier hook blocked"; fi
  if [ -n "$AH_REWROTE" ]; then AH_AFTER=$ah_row AH_REPLAN=1; return 1; fi
}

ah_skip() {
  AH_RESULTS="$AH_RESULTS$1	skipped		0	$3
"
  AH_LISTED="$AH_LISTED,{\"name\":\"$2\",\"status\":\"skipped\",\"exit\":null,\"verdict\":\"pass\",\"note\":\"$3\",\"ms\":0}"
}

# status exit detail, for merge.awk and for the ledger of a silent run
ah_result() {
  AH_RESULTS="$AH_RESULTS$ah_row	$1	$2	$((AH_T - ${ah_t:-$AH_T}))	$3
"
  [ "$1" = ok ] || AH_SPOKE=1
  # Should the answers not come together, this much is certain.
  if [ "$ah_block" = true ] && [ "$AH_BLOCKABLE" = 1 ]; then
    case $1.$2.$ah_onfail in
      ok.2.*) AH_CERTAIN=1 ;;
      failed.*.block | timeout.*.block) AH_CERTAIN=1; ah_stop ;;
    esac
  fi
  AH_LISTED="$AH_LISTED,{\"name\":\"$ah_name\",\"status\":\"$1\",\"exit\":${2:-null},\"verdict\":\"pass\",\"ms\":$((AH_T - ${ah_t:-$AH_T}))}"
}

# A hook that failed and blocks ends the chain as one that said so; ah_finished asks merge.awk instead.
ah_stop() {
  case ${ah_chain:--}.$AH_CHAIN in
    first-block.* | -.first-block) ! grep -q -e '^reply	deny	' -e '^reply	halt	' "$AH_FACTS" || AH_STOP="an earlier hook blocked" ;;
  esac
}

# Detached: cannot decide, never holds the harness, has its own ledger line when it is done.
ah_async() {
  ah_t=$AH_T
  . "$AH_SHELL/queue.sh"
  if ! ah_enqueue; then ah_result failed "" "$ah_why"; return 0; fi
  AH_QUEUED=1
  AH_LISTED="$AH_LISTED,{\"name\":\"$ah_name\",\"status\":\"async\",\"exit\":null,\"verdict\":\"pass\",\"ms\":0}"
  AH_RESULTS="$AH_RESULTS$ah_row	async		0	
"
}

ah_merge_now() {
  # What is not whole would read as fewer hooks: nothing said is better.
  printf '%s' "$AH_RESULTS" >"$AH_RUN.results" || exit 1
  export AH_RUN AH_UNSTEPPED AH_STEP AH_STEP_EXIT AH_STOP_KEY AH_NOTICE AH_INDEX AH_PAYLOAD AH_FACTS AH_EVENT \
    AH_HARNESS AH_STATE AH_HASH AH_UNCOUNTED AH_INBOX AH_NATIVE_TOOL
  LC_ALL=C exec awk -f "$AH_SHELL/json.awk" -f "$AH_SHELL/members.awk" -f "$AH_SHELL/facts.awk" -f "$AH_SHELL/${AH_WIRE:-plain}.awk" ${AH_WIRE:+-f "$AH_SHELL/wire-back.awk"} -f "$AH_SHELL/streak.awk" -f "$AH_SHELL/verdict.awk" \
    -f "$AH_SHELL/redact.awk" -f "$AH_SHELL/reply.awk" -f "$AH_SHELL/merge.awk"
}

ah_answer() {
  AH_EXIT= AH_STEP=
  { eval "$(ah_merge_now)"; } 2>/dev/null
  [ -n "$AH_EXIT" ] || ah_lost
  AH_LISTED=$AH_HOOKS
  [ -z "$AH_INBOX" ] || ah_told
  ah_record "$AH_DECISION"
  if [ "$AH_RAW" = 1 ]; then . "$AH_SHELL/raw.sh"; ah_raw; fi
  [ -z "$AH_OUT" ] || printf '%s\n' "$AH_OUT"
  [ -z "$AH_ERR" ] || printf '%s' "$AH_ERR" >&2
  ah_leave "$AH_EXIT"
}

ah_lost() {
  if ah_room room; then
    ah_fault "could not merge the answers ($AH_HARNESS $AH_EVENT)"
    ah_closed "a hook blocked, and anyhook could not read its reason"
  fi
  ah_unwritable
}

ah_unwritable() {
  ah_fault "the store cannot be written ($AH_SLOT): the hooks of $AH_HARNESS $AH_EVENT could not run or be heard"
  ah_closed "the store cannot be written, and a hook is set to block when it fails"
}

# We failed. What a hook has certainly blocked, or must block when it fails, stays blocked; everything
# else goes on.
ah_closed() {
  # Where the plan did not get as far as to tell, all hooks of the event count.
  if [ "$AH_MUST" = yes ]; then AH_CERTAIN=1
  elif [ -z "$AH_CERTAIN$AH_MUST" ]; then
    AH_CERTAIN=$(awk -F '\t' '$1 == "@" { can = $3 } $9 == "block" && $3 == "true" && can { print 1; exit }' "$AH_INDEX" 2>/dev/null)
  fi
  [ -n "$AH_CERTAIN" ] || ah_leave 0
  # Nobody could remember that it was held back: it would be for ever.
  case $AH_EVENT in Stop | SubagentStop) [ ! -f "$AH_RUN.results" ] || ah_leave 0 ;; esac
  if grep -q '^reply	deny	2' "$AH_FACTS"; then
    printf '%s (see anyhook status)\n' "$1" >&2
    ah_leave 2
  fi
  # Where exit 2 means nothing the words for a block are ready made.
  sed -n 's/^closed	//p' "$AH_FACTS"
  ah_leave 0
}
