# The gate's slow half: something moved, or nothing was compiled yet. Sourced by dispatch.sh.
# One process compiles, under a lock; the others wait for it and look again.

# Same content after all (a bare touch): take a new stamp and go on. The stamp is made before the
# content is read and the clock has ticked in between, so that no later edit can hide behind it.
ah_same_content() {
  [ -z "$AH_REBUILT" ] && [ "$AH_HASH" != untried ] || return 1
  [ -n "$AH_GEN" ] && [ "$AH_MADE_BY" = "$AH_VERSION" ] && ah_same_places || return 1
  ah_new=$AH_SLOT/stamp.$$
  # true and not ":": a failed redirection of a special builtin ends the shell.
  { true >"$ah_new"; } 2>/dev/null || return 1
  sleep 0.02 2>/dev/null || sleep 1
  if [ "$(ah_content)" = "$AH_HASH" ] && mv -f "$ah_new" "$AH_STAMP"; then return 0; fi
  rm -f "$ah_new"
  return 1
}

ah_refresh() {
  if ah_same_content; then return; fi
  # Payloads and the ledger are nobody else's business.
  (umask 077; mkdir -p "$AH_SLOT/run" "$AH_SLOT/state" "$AH_LEDGER") 2>/dev/null || {
    AH_NOTICE="the store cannot be written ($AH_SLOT): no hook can run"
    return
  }
  ah_wait=0
  until ah_lock; do
    if ah_barred; then AH_NOTICE="the store cannot be written ($AH_SLOT): the last good hooks apply"; return; fi
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
  [ -x "$ah_js" ] || ah_js=$AH_NODE_INSTALLED
  [ -x "$ah_js" ] || ah_js=$(command -v node)
  [ -x "$ah_js" ] || { AH_NOTICE="hooks changed, but node is not on PATH: they could not be compiled"; return; }
  # A project that ends the compiler may also be too much to hash at every event.
  ah_key="$ah_js:$([ -z "$AH_GEN" ] || [ "$AH_HASH" = untried ] || ah_content)"
  if ah_failed_before; then return; fi
  if ah_materialize; then
    [ -f "$AH_SLOT/gate" ] || { AH_NOTICE="compiling left nothing behind (node: $ah_js)"; return; }
    . "$AH_SLOT/gate"
    AH_NOTICE=$ah_said
    return
  fi
  ah_why=${ah_said:-no message}
  AH_NOTICE="hooks changed, but could not be compiled (the last good ones apply): $ah_why"
  [ -n "$AH_GEN" ] || ah_above
  { printf '%s\n%s\n' "$ah_key" "$AH_NOTICE" >"$AH_SLOT/failed"; } 2>/dev/null
}

# What it says is in ah_said. A compile that does not end would hold the agent longer than its harness
# waits, and then no hook would run at all.
ah_materialize() {
  ah_said=$(
    "$ah_js" "$AH_DIST/cli.js" materialize --locked --quiet --root "$AH_ROOT" "$@" 2>&1 </dev/null &
    ah_p=$!
    { exec >/dev/null 2>&1; ah_patience $ah_p; } &
    wait $ah_p 2>/dev/null
    ah_x=$?
    kill $! 2>/dev/null
    case $ah_x in 137) echo "it was killed, or took too long" ;; esac
    exit $ah_x
  )
  ah_x=$?
  # It goes through environments, which are bounded.
  [ ${#ah_said} -le 2000 ] || ah_said=$(printf '%s\n' "$ah_said" | head -n 4 | cut -c1-400)
  return $ah_x
}

ah_patience() {
  ah_n=0 ah_most=250
  # Some harnesses wait half a minute for everything.
  { read -r ah_x ah_y <"$AH_FACTS"; } 2>/dev/null
  if [ "$ah_x" = budget ] && [ "$ah_y" -lt 50000 ]; then ah_most=150; fi
  while [ $ah_n -lt $ah_most ]; do
    sleep 0.1 2>/dev/null || { sleep 1; ah_n=$((ah_n + 9)); }
    ah_n=$((ah_n + 1))
  done
  kill -KILL $1
}

# No earlier generation goes on here: what stands above the project is not switched off with it.
ah_above() {
  ah_materialize --without-project "${ah_why%%
*}" && [ -f "$AH_SLOT/gate" ] || { AH_NOTICE="hooks could not be compiled, and none run: $ah_why"; return; }
  . "$AH_SLOT/gate"
  AH_NOTICE=$ah_said
}

# Nothing is known about any hook: said where status finds it and, when somebody is there, to the person.
ah_none() {
  [ -n "$AH_NOTICE" ] || ah_leave 0
  ah_fault "$AH_NOTICE"
  case $AH_EVENT in
    SessionStart | UserPromptSubmit)
      export AH_NOTICE AH_FACTS
      LC_ALL=C awk -f "$AH_SHELL/json.awk" -f "$AH_SHELL/facts.awk" -f "$AH_SHELL/reply.awk" -f "$AH_SHELL/none.awk" </dev/null ;;
  esac
  ah_leave 0
}

# What failed a moment ago is not tried again at every event: only when the content or the program
# has changed, or a minute has passed.
ah_failed_before() {
  [ -f "$AH_SLOT/failed" ] && [ -n "$AH_GEN" ] || return 1
  [ -z "$(find "$AH_SLOT/failed" -mmin +1 2>/dev/null)" ] || return 1
  { read -r ah_x && read -r AH_NOTICE; } <"$AH_SLOT/failed"
  [ "$ah_x" = "$ah_key" ]
}

# The same notice is said once per session and at each of its starts; what is delivered twice, once.
ah_notice_once() {
  [ -z "$AH_IGNORED" ] || { AH_NOTICE=; return; }
  ah_file=$AH_STATE/$AH_STOP_KEY.notice
  ah_x=
  [ ! -f "$ah_file" ] || [ "$AH_EVENT" = SessionStart ] || read -r ah_x <"$ah_file"
  ah_y=${AH_NOTICE%%
*}
  if [ "$ah_x" = "$ah_y" ]; then AH_NOTICE=; else { printf '%s\n' "$ah_y" >"$ah_file"; } 2>/dev/null; fi
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

ah_unlock() { { true >"$AH_SLOT/lock.$ah_mine.done"; } 2>/dev/null; }

# A lock that cannot be made at all is not somebody else's.
ah_barred() {
  { true >"$AH_SLOT/write.$$"; } 2>/dev/null || return 0
  rm -f "$AH_SLOT/write.$$"
  return 1
}

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

# pid and, where the system tells, the moment it started: a reused pid is not the holder. A zombie
# is dead, although its pid still answers.
ah_self() { printf '%s-%s' $$ "$(ah_started $$)"; }

ah_started() {
  ah_s=
  { read -r ah_s <"/proc/$1/stat"; } 2>/dev/null || return 0
  set -- ${ah_s##*) }
  case $1 in Z | X) printf dead ;; *) printf '%s' "${20}" ;; esac
}

ah_alive() {
  ah_p=${1%%-*}
  kill -0 "$ah_p" 2>/dev/null || return 1
  if [ -d /proc/self ]; then
    ah_s=$(ah_started "$ah_p")
    [ "$ah_s" != dead ] && { [ -z "${1#*-}" ] || [ "$ah_s" = "${1#*-}" ]; }
  else
    case $(ps -o stat= -p "$ah_p" 2>/dev/null) in '' | Z*) return 1 ;; esac
  fi
}
