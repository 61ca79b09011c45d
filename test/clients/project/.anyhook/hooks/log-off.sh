#!/bin/sh
# Hook: log-off
# Event: SessionEnd
echo "$ANYHOOK_HARNESS" >logged-off.txt
