# Rare second look of dispatch.sh: another harness has sent the event, it is another event than its
# name says, the harness works in another directory than we stand in, the
# clock went backwards and only the content can tell whether anything moved, or the store is damaged.
AH_RAN=1
if [ "$AH_LANE" = moved ]; then
  AH_MOVED=1
  ah_was=$AH_SLOT
  ah_project "$AH_CWD"
  ah_layout
  if [ "$AH_SLOT" != "$ah_was" ]; then ah_gate; fi
elif [ "$AH_LANE" = guest ]; then
  . "$AH_SHELL/guest.sh"
elif [ "$AH_LANE" = turn ]; then
  AH_EVENT=$AH_INTO AH_FACTS=$AH_DIST/facts/$AH_HARNESS/$AH_INTO
elif [ "$AH_LANE" = rebuild ]; then
  # What was compiled is damaged: a store that lost its hooks must not read as "no hooks".
  AH_MOVED=1 AH_REBUILT=1
  ah_fault "the compiled hooks were damaged and are made anew"
  ah_gate rebuild
else
  AH_MOVED=1
  ah_gate content
fi
if [ -n "$AH_GEN" ]; then
  AH_INDEX=$AH_GEN/index/$AH_EVENT
  AH_PAUSED=
  [ ! -f "$AH_PROJECT/paused" ] || AH_PAUSED=1
  AH_LANE=
  eval "$(ah_plan_now <"$AH_PAYLOAD")"
else
  ah_none
fi
