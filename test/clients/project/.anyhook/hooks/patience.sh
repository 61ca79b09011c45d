#!/bin/sh
# Hook: patience
# Event: PreToolUse
# Matcher: tool_name = "Bash" and tool_input.command ~ "patience"
# Timeout: 500
sleep 300
