# The reply of an event of which no hook is known: only what the person must be told.
BEGIN {
  facts_read(ENVIRON["AH_FACTS"])
  D_notice = "anyhook: " ENVIRON["AH_NOTICE"]
  text = fill(F_out["pass"], "")
  if (text != "") print text
}
