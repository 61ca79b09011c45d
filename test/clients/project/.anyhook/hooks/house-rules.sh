#!/bin/sh
# Hook: house-rules
# Event: SessionStart
. "$ANYHOOK_LIB"
hook_context "House rule seven: boats are painted green."
