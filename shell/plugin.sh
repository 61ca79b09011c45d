#!/bin/sh
# plugin.sh <event>: what hooks/hooks.json calls where a harness has installed this package as a
# plugin. The same manifest serves several harnesses, so the caller is told apart here.
set -f
AH_SHELL=${0%/*}
AH_DIST=$AH_SHELL/../dist
[ -r "$AH_DIST/harnesses.sh" ] || { echo "anyhook: this plugin has no dist/, no hook runs: add it from the npm package" >&2; exit 0; }
. "$AH_DIST/harnesses.sh"
ah_plugin || { echo "anyhook: the plugin cannot tell which harness calls it: no hook runs" >&2; exit 0; }
s=${ANYHOOK_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/anyhook}
[ ! -x "$s/bin/dispatch" ] || exec "$s/bin/dispatch" "$AH_HARNESS" "$1" aside
exec /bin/sh "$AH_SHELL/dispatch.sh" "$AH_HARNESS" "$1" aside
