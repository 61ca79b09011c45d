# A command that was written for the harness that calls now: it gets that harness's own payload, and
# what it says in that harness's words goes on in ours. Sourced by imported hooks; $1 is the command.
native_at=${ANYHOOK_LIB%/*}
native_shell=$(ANYHOOK_ASKED=shell LC_ALL=C awk -f "$native_at/json.awk" -f "$native_at/facts.awk" -f "$native_at/members.awk" -f "$native_at/wire.awk" -f "$native_at/native.awk" </dev/null) || exit 70
# A harness whose words are ours.
[ -n "$native_shell" ] || exec sh -c "$1"
command -v "$native_shell" >/dev/null 2>&1 || native_shell=sh
native_was=$(umask)
umask 077
native_run=$(mktemp -d "${TMPDIR:-/tmp}/anyhook-native.XXXXXX") || exit 70
trap 'rm -rf "$native_run"' EXIT
trap 'exit 143' HUP INT TERM
cat >"$native_run/in" || exit 70
: >"$native_run/out" || exit 70
umask "$native_was"
"$native_shell" -c "$1" <"$native_run/in" >>"$native_run/out" 2>"$native_run/err"
ANYHOOK_ASKED=answer NATIVE_RUN=$native_run NATIVE_EXIT=$? LC_ALL=C awk \
  -f "$native_at/json.awk" -f "$native_at/facts.awk" -f "$native_at/members.awk" -f "$native_at/wire.awk" -f "$native_at/native.awk" </dev/null
native_exit=$?
cat "$native_run/err" >&2
exit "$native_exit"
