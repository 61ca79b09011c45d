#!/bin/sh
# later.sh <program> <argument>…: starts the program with our standard input and does not wait for it.
# The payload goes through a pipe and never into a file: nobody has redacted it yet.
ah_payload=$(cat && echo x)
# Without the mark: the dispatcher's watchdog would take the program for a hook that hangs.
unset ANYHOOK_RUN
{ printf '%s' "${ah_payload%x}" | "$@"; } </dev/null >/dev/null 2>&1 &
