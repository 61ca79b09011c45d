#!/bin/sh
# Hook: greeting
# Event: PreToolUse
# Matcher: tool_name = "Bash" and tool_input.command ~ "echo hello >"
# Order: 10
. "$ANYHOOK_LIB"
hook_rewrite '{"command":"echo hello from the shell >greeting.txt"}'
