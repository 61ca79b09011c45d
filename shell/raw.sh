# raw: every hook's output as it is, one after the other (S0.20).
ah_raw() {
  ah_ifs=$IFS
  IFS='
'
  for ah_line in $AH_RESULTS; do
    cat "$AH_RUN.out.${ah_line%%	*}" 2>/dev/null
    [ ! -f "$AH_RUN.err.${ah_line%%	*}" ] || cat "$AH_RUN.err.${ah_line%%	*}" >&2
  done
  IFS=$ah_ifs
  case $AH_DECISION in '{"verdict":"deny"'*) ah_leave 2 ;; esac
  ah_leave 0
}
