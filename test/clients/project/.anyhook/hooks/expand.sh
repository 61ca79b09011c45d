#!/bin/sh
# Hook: expand
# Event: PreToolUse
# Matcher: tool_name = "Bash" and tool_input.command ~ "^tidy$"
# Order: 10
. "$ANYHOOK_LIB"
hook_rewrite '{"command":"echo swept >floor.txt"}'
