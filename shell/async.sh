#!/bin/sh
# One detached hook: async.sh <run prefix> <limit ms> <argv…>. Enforces its limit, then writes one
# ledger line of its own. Nobody waits for this.
set -f
AH_SHELL=${0%/*}
AH_RUN=$1
ah_limit=$2
shift 2
ah_clock() {
  if read -r AH_T AH_X </proc/uptime; then AH_T=${AH_T%.*}${AH_T#*.}0; else AH_T=$(date +%s)000; fi
} 2>/dev/null
ah_clock
AH_BEGAN=$AH_T
ah_mark=${ANYHOOK_RUN%.*}
[ -z "$BASH_VERSION" ] || set -m
"$@" <"$AH_RUN.in" >"$AH_RUN.out.0" 2>"$AH_RUN.err.0" &
ah_pid=$!
printf '%s 0 %s %s\n' $ah_pid "$ah_limit" "$AH_BEGAN" >"$AH_RUN.cur"
(
  while sleep 0.1 2>/dev/null || sleep 1; do
    . "$AH_SHELL/watch.sh"
    ah_w_mark=$ah_mark
    ah_watch
  done
) &
ah_dog=$!
wait $ah_pid
ah_exit=$?
kill $ah_dog 2>/dev/null
ah_clock
ah_status=ok
[ $ah_exit -eq 0 ] || ah_status=failed
[ ! -f "$AH_RUN.late.0" ] || ah_status=timeout ah_exit=null
ah_line="$AH_HEAD,\"lane\":\"async\",\"ms\":$((AH_T - AH_BEGAN)),\"hooks\":[{\"name\":\"$ANYHOOK_HOOK\",\"status\":\"$ah_status\",\"exit\":$ah_exit,\"verdict\":\"pass\",\"ms\":$((AH_T - AH_BEGAN))}],\"decision\":{\"verdict\":\"pass\"}}"
printf '%s\n' "$ah_line" >>"$AH_LEDGER/$AH_DAY.jsonl"
set +f
rm -f "$AH_RUN".*
