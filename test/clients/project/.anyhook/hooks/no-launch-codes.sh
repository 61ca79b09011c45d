#!/bin/sh
# Hook: no-launch-codes
# Event: UserPromptSubmit
# Matcher: prompt ~ "launch codes"
. "$ANYHOOK_LIB"
hook_deny "Launch codes are not for agents."
