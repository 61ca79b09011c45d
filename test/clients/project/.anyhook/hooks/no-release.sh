#!/bin/sh
# Hook: no-release
# Event: PreToolUse
# Matcher: tool_name = "Bash" and tool_input.command ~ "\brelease\b"
. "$ANYHOOK_LIB"
hook_deny "Releases are made on Tuesdays."
