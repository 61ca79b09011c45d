# The gate's slow half: something moved, or nothing was compiled yet. Sourced by dispatch.sh.
# One process compiles, under a lock; the others wait for it and look again.

# Same content after all (a bare touch): take a new stamp and go on. The stamp is made before the
# content is read and the clock has ticked in between, so that no later edit can hide behind it.
ah_same_content() {
  [ -n "$AH_GEN" ] && [ "$AH_MADE_BY" = "$AH_VERSION" ] || return 1
  ah_new=$AH_SLOT/stamp.$$
  : >"$ah_new" 2>/dev/null || return 1
  sleep 0.02 2>/dev/null || sleep 1
  if [ "$(ah_content)" = "$AH_HASH" ] && mv -f "$ah_new" "$AH_SLOT/stamp"; then return 0; fi
  rm -f "$ah_new"
  return 1
}

ah_refresh() {
  if ah_same_content; then return; fi
  mkdir -p "$AH_SLOT/run" "$AH_SLOT/state" "$AH_LEDGER" 2>/dev/null || {
    AH_NOTICE="the store cannot be written ($AH_SLOT): no hook can run"
    return
  }
  ah_wait=0
  until ah_lock; do
    sleep 0.05 2>/dev/null || sleep 1
    ah_wait=$((ah_wait + 1))
    if [ -f "$AH_SLOT/gate" ]; then
      . "$AH_SLOT/gate"
      if [ "$AH_MADE_BY" = "$AH_VERSION" ] && ah_unmoved 2>/dev/null; then return; fi
    fi
    if [ $ah_wait -ge 600 ]; then AH_NOTICE="waited 30 s for another compile: the last good hooks apply"; return; fi
  done
  # Looked at again now that nobody else can be compiling.
  if [ -f "$AH_SLOT/gate" ]; then . "$AH_SLOT/gate"; fi
  ah_same_content || ah_compile
  ah_unlock
}

ah_compile() {
  ah_js=${ANYHOOK_NODE:-$AH_NODE}
  [ -x "$ah_js" ] || ah_js=$(command -v node)
  [ -x "$ah_js" ] || { AH_NOTICE="hooks changed, but node is not on PATH: they could not be compiled"; return; }
  if ah_said=$("$ah_js" "$AH_DIST/cli.js" materialize --locked --quiet --root "$AH_ROOT" 2>&1 </dev/null); then
    . "$AH_SLOT/gate"
    [ -z "$ah_said" ] || AH_NOTICE=$ah_said
    return
  fi
  AH_NOTICE="hooks changed, but could not be compiled (the last good ones apply): ${ah_said:-no message}"
}

# Locks are numbered links that name their holder; the highest number counts. Taking over from a
# dead holder is making the next number, which only one can do. A live holder is never robbed.
ah_lock() {
  ah_top
  if [ "$ah_n" -gt 0 ] && [ ! -e "$AH_SLOT/lock.$ah_n.done" ] && ah_alive "$(readlink "$AH_SLOT/lock.$ah_n")"; then
    return 1
  fi
  ah_mine=$((ah_n + 1))
  ln -s "$(ah_self)" "$AH_SLOT/lock.$ah_mine" 2>/dev/null || return 1
  ah_top
  if [ "$ah_n" -ne "$ah_mine" ]; then rm -f "$AH_SLOT/lock.$ah_mine"; return 1; fi
  ah_sweep
}

ah_unlock() { : >"$AH_SLOT/lock.$ah_mine.done"; }

ah_top() {
  ah_n=0
  set +f
  for ah_l in "$AH_SLOT"/lock.*; do
    ah_l=${ah_l##*/lock.}
    case $ah_l in *[!0-9]* | '') continue ;; esac
    [ "$ah_l" -le "$ah_n" ] || ah_n=$ah_l
  done
  set -f
}

ah_sweep() {
  set +f
  for ah_l in "$AH_SLOT"/lock.*; do
    ah_x=${ah_l##*/lock.}
    ah_x=${ah_x%.done}
    [ "$ah_x" -ge "$ah_mine" ] 2>/dev/null || rm -f "$ah_l"
  done
  set -f
}

# pid and, where the system tells, the moment it started: a reused pid is not the holder.
ah_self() { printf '%s-%s' $$ "$(ah_started $$)"; }

ah_started() {
  ah_s=
  { read -r ah_s <"/proc/$1/stat"; } 2>/dev/null || return 0
  set -- ${ah_s##*) }
  printf '%s' "${20}"
}

ah_alive() {
  ah_p=${1%%-*}
  kill -0 "$ah_p" 2>/dev/null || return 1
  [ -z "${1#*-}" ] || [ "$(ah_started "$ah_p")" = "${1#*-}" ]
}
