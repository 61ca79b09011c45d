#!/bin/sh
# The front door of every event: dispatch.sh <harness> <event>, payload on standard input.
# POSIX sh. Finds the project, asks the gate whether anything moved, plans, and answers; Node is
# started only when something must be compiled or a chosen hook is not a command.
set -f
unset CDPATH
AH_SHELL=${0%/*}
AH_DIST=$AH_SHELL/../dist
# Whatever goes wrong with us is no block: only ah_leave says how this ends.
AH_PLANNED=
trap '[ -n "$AH_PLANNED" ] || exit 0' EXIT
[ -r "$AH_DIST/harnesses.sh" ] || { echo "anyhook: $AH_DIST is not complete; no hook ran" >&2; exit 0; }
. "$AH_DIST/harnesses.sh"

# Milliseconds on a clock that only moves forward; Linux has one without starting a program.
ah_clock() {
  if read -r AH_T AH_X </proc/uptime; then AH_T=${AH_T%.*}${AH_T#*.}0; else AH_T=$(date +%s)000; fi
} 2>/dev/null

ah_complain() { printf 'anyhook: %s\n' "$1" >&2; }

# dispatch.sh never breaks the agent's session: what is wrong is said, and the answer is "go on".
ah_leave() {
  AH_PLANNED=1
  trap - EXIT TERM INT HUP
  [ -z "$AH_WATCH" ] || kill "$AH_WATCH" 2>/dev/null
  [ -z "$AH_QUEUED" ] || ah_runner
  if [ "$AH_EVENT" = SessionEnd ] && [ -d "$AH_STORE/installed" ]; then . "$AH_SHELL/liveness.sh"; ah_compare; fi
  [ -z "$AH_RAN" ] || { set +f; rm -f "$AH_RUN".* >/dev/null 2>&1 & }
  exit "$1"
}

ah_store() {
  AH_STORE=${ANYHOOK_HOME:-}
  [ -n "$AH_STORE" ] || AH_STORE=${XDG_STATE_HOME:+$XDG_STATE_HOME/anyhook}
  [ -n "$AH_STORE" ] || AH_STORE=${HOME:+$HOME/.local/state/anyhook}
  AH_USER=${ANYHOOK_CONFIG_HOME:-${HOME:+$HOME/.config/anyhook}}
  AH_MANAGED=${ANYHOOK_MANAGED_ROOT:-/etc/anyhook}
  [ ! -d /etc/anyhook ] || AH_MANAGED=/etc/anyhook
}

# The nearest ancestor of $1 with .anyhook/, physical; hooks run there.
ah_project() {
  AH_ROOT=
  cd -P -- "$1" 2>/dev/null || cd -P . 2>/dev/null || return
  ah_dir=$PWD
  while :; do
    if [ -d "$ah_dir/.anyhook" ]; then AH_ROOT=${ah_dir:-/}; cd -- "$AH_ROOT"; return; fi
    [ -n "$ah_dir" ] || return
    ah_dir=${ah_dir%/*}
  done
}

# / becomes +, and what could be mistaken for it is escaped; very long paths become a checksum.
ah_encode() {
  ah_rest=$1 AH_ENC=
  case $1 in
    *[%+]*)
      while [ -n "$ah_rest" ]; do
        case $ah_rest in
          %*) AH_ENC=$AH_ENC%25 ah_rest=${ah_rest#?} ;;
          +*) AH_ENC=$AH_ENC%2B ah_rest=${ah_rest#?} ;;
          *) AH_X=${ah_rest%%[%+]*} AH_ENC=$AH_ENC$AH_X ah_rest=${ah_rest#"$AH_X"} ;;
        esac
      done
      ah_rest=$AH_ENC ;;
  esac
  ah_ifs=$IFS; IFS=/; set -- $ah_rest; IFS=+; AH_ENC="$*"; IFS=$ah_ifs
  [ -n "$AH_ENC" ] || AH_ENC=+
}

ah_encode_bounded() {
  ah_encode "$1"
  [ ${#AH_ENC} -le 50 ] && return
  ah_len=${#AH_ENC}
  [ -z "$BASH_VERSION" ] || ah_len=$(printf %s "$AH_ENC" | wc -c)
  [ "$ah_len" -gt 200 ] || return
  set -- $(printf %s "$1" | cksum)
  AH_ENC="~$1-$2"
}

# A linked worktree's .git is a file that names the main repository.
ah_layout() {
  AH_ENC=_ ah_main=$AH_ROOT
  if [ -n "$AH_ROOT" ]; then
    if [ -f "$AH_ROOT/.git" ]; then
      read -r ah_line <"$AH_ROOT/.git"
      case $ah_line in
        "gitdir: /"*/.git/worktrees/*) ah_main=${ah_line#gitdir: } ah_main=${ah_main%%/.git/worktrees/*} ;;
      esac
    fi
    ah_encode_bounded "$ah_main"
  fi
  AH_PROJECT=$AH_STORE/projects/$AH_ENC
  [ "$ah_main" = "$AH_ROOT" ] || ah_encode_bounded "$AH_ROOT"
  AH_SLOT=$AH_PROJECT/trees/$AH_ENC
  AH_STATE=$AH_SLOT/state AH_LEDGER=$AH_PROJECT/ledger
}

# Has anything moved since the last compile? The slot's gate file holds the question, ready made.
ah_gate() {
  AH_GEN= AH_NOTICE= AH_WRONG= AH_STAMPED=0
  [ ! -f "$AH_SLOT/gate" ] || . "$AH_SLOT/gate"
  if [ -n "$AH_GEN" ] && [ "$AH_MADE_BY" = "$AH_VERSION" ] && [ -z "$1" ] && ah_unmoved 2>/dev/null; then AH_NOTICE=$AH_WRONG; return; fi
  . "$AH_SHELL/gate.sh"
  ah_refresh
  [ -n "$AH_NOTICE" ] || AH_NOTICE=$AH_WRONG
}

ah_plan_now() {
  export AH_ROOT AH_EVENT AH_SLOT AH_FACTS AH_INDEX AH_PAYLOAD AH_HARNESS AH_HINT AH_MOVED AH_STATE \
    AH_PAUSED AH_STAMPED AH_REBUILT AH_AFTER AH_DEPTH AH_FROM AH_HASH AH_BEGAN AH_ID AH_NATIVE_TOOL AH_GUESTS AH_TWICE PWD
  LC_ALL=C exec awk -f "$AH_SHELL/json.awk" -f "$AH_SHELL/facts.awk" -f "$AH_SHELL/${AH_WIRE:-plain}.awk" ${AH_WIRE:+-f "$AH_SHELL/members.awk"} -f "$AH_SHELL/odd.awk" \
    -f "$AH_SHELL/streak.awk" -f "$AH_SHELL/dfa.awk" -f "$AH_SHELL/match.awk" -f "$AH_SHELL/placeholders.awk" -f "$AH_SHELL/job.awk" -f "$AH_SHELL/plan.awk"
}

ah_record() {
  ah_clock
  ah_line="$AH_HEAD,\"lane\":\"${2:-shell}\",\"ms\":$((AH_T - AH_BEGAN)),\"hooks\":[${AH_LISTED#,}],\"decision\":$1"
  [ -z "$AH_NOTES" ] || ah_line="$ah_line,\"notes\":[${AH_NOTES#,}]"
  ah_append "$ah_line}"
  # On stderr, but never where stderr is the reason of a block.
  if [ "$ANYHOOK_TRACE" = 1 ] && [ "${AH_EXIT:-0}" != 2 ]; then printf 'anyhook: trace %s\n' "$ah_line}" >&2; fi
}

# One write per line, so that lines of concurrent events never mix.
ah_append() {
  if [ ${#1} -lt 4000 ]; then printf '%s\n' "$1" >>"$AH_LEDGER/$AH_DAY.jsonl"
  else AH_RAN=1; printf '%s\n' "$1" >"$AH_RUN.line" && cat "$AH_RUN.line" >>"$AH_LEDGER/$AH_DAY.jsonl"
  fi 2>/dev/null || ah_complain "cannot write the ledger in $AH_LEDGER"
}

# What is wrong with us or with the call, not with a hook: said, and kept where status finds it.
ah_fault() {
  ah_complain "$1"
  {
    [ ! -d "$AH_STORE" ] || HOOK_TEXT=$1 LC_ALL=C awk -f "$AH_SHELL/json.awk" -f "$AH_SHELL/facts.awk" \
      -f "$AH_SHELL/fault.awk" </dev/null >>"$AH_STORE/faults.jsonl"
  } 2>/dev/null
}

# Exit 0 towards a harness, 1 towards a person.
ah_unknown() {
  ah_fault "$1"
  [ -t 0 ] || ah_leave 0
  ah_leave 1
}

# Nobody may keep us waiting for ever: neither a pipe that is never closed nor a hook.
ah_watchdog() {
  trap 'exit 0' TERM
  ah_ticks=0
  while sleep 0.1 2>/dev/null || sleep 1; do
    ah_ticks=$((ah_ticks + 1))
    # Killed without a chance to say so: what it had started must not outlive it.
    kill -0 $$ 2>/dev/null || { . "$AH_SHELL/watch.sh"; ah_abandon "the dispatcher was ended"; exit 0; }
    if [ -f "$AH_RUN.cur" ]; then . "$AH_SHELL/watch.sh"; ah_watch
    elif [ $ah_ticks -ge 50 ]; then . "$AH_SHELL/watch.sh"; ah_watch_stdin; fi
    [ $ah_ticks -lt 50 ] || [ ! -f "$AH_RUN.limit" ] || { . "$AH_SHELL/watch.sh"; ah_watch_node; }
  done
}

ah_clock
AH_BEGAN=$AH_T AH_WATCH= AH_RAN= AH_REBUILT= AH_MOVED= AH_AFTER= AH_LISTED= AH_NOTES= AH_PAUSED= AH_TELL= AH_UNCOUNTED= AH_QUEUED= AH_INBOX= AH_UNTOLD= AH_TAKES= AH_RAW=
AH_ID= AH_NATIVE_TOOL= AH_IGNORED= AH_TWICE= AH_MUST= AH_CERTAIN= AH_RESULTS=
AH_DEPTH=${ANYHOOK_DEPTH:-0}
case $AH_DEPTH in *[!0-9]* | '') AH_DEPTH=0 ;; esac
ah_store
# Set by our own lifecycle commands: facts and dialect are ours, whatever the harness.
AH_BY=${ANYHOOK_BY_HAND:+_by-hand}
unset ANYHOOK_BY_HAND
[ $# -ge 2 ] || ah_unknown "usage: dispatch.sh <harness> <event>"
ah_harness "$1" || ah_unknown "unknown harness '$1' (known: $AH_KNOWN)"
ah_event "$2" || ah_unknown "$AH_HARNESS has no event '$2'"
[ -n "$AH_STORE" ] || { ah_complain "HOME is not set: no store, no hooks"; exit 0; }
# What we send ourselves has our own form.
[ -z "$AH_BY" ] || AH_WIRE= AH_GUESTS= AH_TOLD=
# The entry of a project, or the plugin: where the user's own settings call us for this harness, those
# count. In doubt who is calling, it is gone on with: rather twice than not at all.
if [ "$3" = aside ] && [ -z "$AH_GUESTS" ] && [ -f "$AH_STORE/installed/$AH_HARNESS" ]; then exit 0; fi
# Told by their payload alone: they read the user's settings of this harness too, so stepping aside is right for them.
AH_GUESTS=$AH_GUESTS${AH_TOLD:+ $AH_TOLD}
AH_FACTS=$AH_DIST/facts/${AH_BY:-$AH_HARNESS}/$AH_EVENT
AH_FROM=$PWD
ah_project "${AH_HINT:-.}"
if [ -z "$AH_ROOT" ] && [ ! -d "$AH_USER" ] && [ ! -d "$AH_MANAGED" ] && [ -n "$AH_HINT" ]; then
  # Nothing concerns any hook, but we were called: see liveness.sh.
  [ ! -d "$AH_STORE/liveness" ] || { printf . >"$AH_STORE/liveness/called.$AH_HARNESS"; } 2>/dev/null
  exit 0
fi
ah_layout
ah_gate
[ -n "$AH_GEN" ] || ah_none
AH_RUN=$AH_SLOT/run/$$.$AH_BEGAN AH_PAYLOAD=$AH_SLOT/run/$$.$AH_BEGAN.in
AH_INDEX=$AH_GEN/index/$AH_EVENT
[ ! -f "$AH_PROJECT/paused" ] || AH_PAUSED=1
[ -d "$AH_SLOT/run" ] && [ -d "$AH_STATE" ] && [ -d "$AH_LEDGER" ] || (umask 077; mkdir -p "$AH_SLOT/run" "$AH_STATE" "$AH_LEDGER") 2>/dev/null
# exec, because a redirected function would keep the harness's pipe as a saved copy.
{ exec </dev/null >/dev/null 2>&1; ah_watchdog; } &
AH_WATCH=$!
# The harness has lost its patience: the hook that runs goes with us.
trap '. "$AH_SHELL/watch.sh"; ah_abandon "the harness ended the dispatcher"; ah_leave 1' TERM INT HUP
AH_LANE=
# In braces: bash sometimes remarks on a child it has lost sight of, and stderr is the harness's.
{ eval "$(ah_plan_now)"; } 2>/dev/null
# Each of these happens once at most: another harness or event, another folder, another clock, a damaged store.
while :; do
  case $AH_LANE in guest | turn | moved | regate | rebuild) . "$AH_SHELL/again.sh" ;; *) break ;; esac
done
[ -z "$AH_NOTICE" ] || { . "$AH_SHELL/gate.sh"; ah_notice_once; }
if [ "$AH_EVENT" = SessionStart ] && [ -f "$AH_STORE/liveness/found" ]; then . "$AH_SHELL/liveness.sh"; ah_found; fi
# Something waits in the queue, or detached hooks have something to say.
[ ! -e "$AH_SLOT/queue/pending" ] || { . "$AH_SHELL/queue.sh"; ah_revive; }
[ ! -d "$AH_SLOT/inbox" ] || { . "$AH_SHELL/queue.sh"; ah_inbox; }
case $AH_LANE in
  quiet)
    AH_LISTED=$AH_SKIPPED
    if [ -n "$AH_NOTICE$AH_TELL" ]; then . "$AH_SHELL/run.sh"; ah_run; fi
    ah_record '{"verdict":"pass"}'
    ah_leave 0 ;;
  shell | node) . "$AH_SHELL/run.sh"; ah_run ;;
  *)
    . "$AH_SHELL/run.sh"
    AH_RAN=1
    ah_room room || ah_unwritable
    ah_fault "could not read the event ($AH_HARNESS $AH_EVENT): no hook ran"
    ah_closed "anyhook could not read the event" ;;
esac
