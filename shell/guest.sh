# AH_GUEST has read the settings of AH_HARNESS and called our entry there: its own variable and its
# payload say so. If it has an entry of ours itself, this is the second call for the same event;
# otherwise it is the only one, and it is answered in the guest's own words.
AH_GUESTS=
ah_native_entry() {
  [ -f "$AH_STORE/installed/$AH_GUEST" ] || return 1
  while read -r ah_line || [ -n "$ah_line" ]; do
    case $ah_line in user) return 0 ;; "$AH_ROOT") [ -z "$AH_ROOT" ] || return 0 ;; esac
  done <"$AH_STORE/installed/$AH_GUEST"
  return 1
}
if [ -f "$AH_DIST/facts/$AH_GUEST/$AH_EVENT" ]; then
  if ah_native_entry; then AH_TWICE=$AH_HARNESS; fi
  ah_harness "$AH_GUEST"
  AH_FACTS=$AH_DIST/facts/$AH_HARNESS/$AH_EVENT
fi
