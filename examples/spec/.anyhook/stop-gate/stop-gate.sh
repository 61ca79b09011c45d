#!/bin/sh
. "$ANYHOOK_LIB"
. "$ANYHOOK_PROJECT_DIR/.anyhook/governs.sh"
spec_turn

last=$(hook_field last_assistant_message) || last=$(hook_field prompt_response)
if printf '%s\n' "$last" | grep -Eq '^STATE: (done|blocked .|handover .)'; then
  spec_forget stop-1 stop-2
  exit 0
fi
if ! spec_seen stop-1; then
  spec_mark stop-1
  hook_deny "Say how this session ends before you stop. End your message with one of these lines:
STATE: done
STATE: blocked <by what>
STATE: handover <what the next session has to know>"
fi
if ! spec_seen stop-2; then
  spec_mark stop-2
  hook_deny "The line STATE: done, blocked or handover is still missing."
fi
