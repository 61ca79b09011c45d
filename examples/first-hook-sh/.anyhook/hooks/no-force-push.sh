#!/bin/sh
# Hook: no-force-push
# Event: PreToolUse
# Description: A forced push can destroy what others pushed
# Matcher: tool_name = "Bash" and tool_input.command ~ "\bgit\b.*\bpush\b"
. "$ANYHOOK_LIB"

case " $(hook_field tool_input.command) " in
  *" --force-with-lease"*) ;;
  *" --force "* | *" -f "*) hook_deny "No forced push here: use --force-with-lease." ;;
esac
