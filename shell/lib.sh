# For people who write hooks in shell:  . "$ANYHOOK_LIB"
#   hook_field tool_input.command   prints one field of the payload, without a newline
#   hook_payload                    prints the whole payload (the library has read standard input)
#   hook_deny "reason"              blocks, with the reason, and ends the hook
#   hook_ask "reason"               asks the user
#   hook_context "text"             adds text to the model's context
#   hook_rewrite '{"command":"…"}'  lays the given members over the tool's input
# The last four end the hook: an answer is one JSON object. No jq needed. A field that does not exist prints nothing and returns 1;
# a payload that cannot be read ends the hook as a failure.

# Read when the library is sourced, so that every $(hook_field …) sees it.
[ -n "${HOOK_PAYLOAD+set}" ] || HOOK_PAYLOAD=$(cat && printf x)

hook_payload() { printf '%s' "${HOOK_PAYLOAD%x}"; }

hook_field() {
  hook_payload | HOOK_PATH=$1 LC_ALL=C awk -f "${ANYHOOK_LIB%/*}/json.awk" -f "${ANYHOOK_LIB%/*}/field.awk"
  hook_status=$?
  [ "$hook_status" -gt 1 ] || return "$hook_status"
  # Nothing printed would read as "not there", and inside $(…) only a signal ends the whole hook.
  printf '%s\n' "hook_field $1: the payload cannot be read" >&2
  kill -TERM $$
  exit 70
}

hook_deny() { hook_say '"decision":"block","reason":' "$1"; exit 0; }

hook_ask() { hook_say '"decision":"ask","reason":' "$1"; exit 0; }

hook_context() { hook_say '"context":' "$1"; exit 0; }

hook_rewrite() { printf '{"rewrite":%s}\n' "$1"; exit 0; }

# The text travels by pipe: an environment has a limit that a long command exceeds.
hook_say() {
  hook_json=$(printf '%s' "$2" | LC_ALL=C awk -f "${ANYHOOK_LIB%/*}/json.awk" -f "${ANYHOOK_LIB%/*}/quote.awk")
  if [ -n "$hook_json" ]; then printf '{%s%s}\n' "$1" "$hook_json"; return; fi
  printf '%s\n' "$2" >&2
  exit 2
}
