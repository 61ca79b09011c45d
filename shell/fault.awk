# One line about a fault of ours.
BEGIN {
  srand(); now = srand()
  print "{\"v\":1,\"time\":\"" day_of(now) "T" clock_of(now) "Z\",\"fault\":" json_quote(json_wellformed(ENVIRON["HOOK_TEXT"])) "}"
}
