# AH_GUEST has read the settings of AH_HARNESS and called our entry there: its own variable and its
# payload say so. If it has an entry of ours itself, this is the second call for the same event;
# otherwise it is the only one, and it is answered in the guest's own words.
AH_GUESTS=
# Written by the installer: one for the user, one for each project in which it has an entry.
ah_native_entry() {
  [ ! -f "$AH_STORE/installed/$AH_GUEST" ] || return 0
  [ -n "$AH_ROOT" ] || return 1
  ah_encode_bounded "$AH_ROOT"
  ah_x=$AH_STORE/installed/projects/$AH_ENC/$AH_GUEST
  [ -f "$ah_x.project" ] || [ -f "$ah_x.local" ]
}
if [ -f "$AH_DIST/facts/$AH_GUEST/$AH_EVENT" ]; then
  if ah_native_entry; then AH_TWICE=$AH_HARNESS; fi
  ah_harness "$AH_GUEST"
  AH_FACTS=$AH_DIST/facts/$AH_HARNESS/$AH_EVENT
fi
