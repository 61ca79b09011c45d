# One detached hook that has ended -> its ledger line and, if it asked for that (flag n), its message
# for the session. Prints shell code for async.sh. Needs json, facts, streak, verdict and redact.awk.

BEGIN {
  E_event = ENVIRON["AH_EVENT"]; E_run = ENVIRON["AH_RUN"]
  split(ENVIRON["ah_meta"], meta, "\t"); split(ENVIRON["ah_line"], col, "\t")
  split(ENVIRON["AH_RESULTS"], r, "\t"); sub(/\n$/, "", r[5])
  if (r[2] == "") { r[2] = "failed"; r[5] = "its result was not kept" }
  err = slurp(E_run ".err.2", 1048576)
  verdict_of(col[5], source(), r[2], r[3], r[5], col[9], slurp(E_run ".out.2", 1048576), err)
  failed = H_status == "failed" || H_status == "timeout"
  count_streak(failed); streaks_note()
  srand(); now = srand()
  print "AH_DAY=" day_of(now) " AH_LINE=" quoted(ledger_line())
  if (index(col[11], "n")) message(said())
}

function source() { return index(col[16], "\\") ? json_text(col[16]) : col[16] }

# The head is the event's; the time is that of the end.
function ledger_line(    head, note, trace) {
  head = ENVIRON["AH_HEAD"]
  sub(/"time":"[^"]*"/, "\"time\":\"" day_of(now) "T" clock_of(now) "Z\"", head)
  if (head == "") head = "{\"v\":1,\"time\":\"" day_of(now) "T" clock_of(now) "Z\",\"event\":\"" E_event "\""
  note = H_detail
  if (note != "" && trimmed(err) != "") note = note ": " cut(trimmed(json_wellformed(err)), 200)
  if (!failed && rank(V_kind) > rank("pass")) note = "an async hook cannot decide"
  # Node has bounded and redacted it.
  trace = slurp(E_run ".trace")
  return head ",\"lane\":\"async\",\"ms\":" r[4] + 0 ",\"hooks\":[{\"name\":\"" col[5] "\",\"status\":\"" H_status "\",\"exit\":" \
    (H_exit == "" ? "null" : H_exit) ",\"verdict\":\"" (failed ? "pass" : V_kind) "\"" \
    (V_reason == "" || failed ? "" : ",\"reason\":" json_quote(cut(redact(V_reason), 300))) \
    (note == "" ? "" : ",\"note\":" json_quote(cut(redact(note), 300))) ",\"ms\":" r[4] + 0 \
    (trace ~ /^\[.*\]$/ ? ",\"trace\":" trace : "") "}],\"decision\":{\"verdict\":\"pass\"}}"
}

function said(    text) {
  if (failed) return "Hook " col[5] " failed: " H_detail (trimmed(err) == "" ? "" : ": " cut(trimmed(json_wellformed(err)), 300))
  text = rank(V_kind) >= rank("ask") ? V_reason : ""
  if (V_context != "") text = text (text == "" ? "" : "\n") V_context
  return text
}

function message(text) {
  if (text == "" || ENVIRON["AH_STOP_KEY"] == "") return
  printf "%s\nAbout %s%s, checked in the background:\n%s", col[5], E_event, \
    (ENVIRON["AH_TOOL"] == "" ? "" : " of " json_wellformed(ENVIRON["AH_TOOL"])), cut(text, 10000) > (E_run ".message")
  close(E_run ".message")
  print "AH_MESSAGE=1"
}

function quoted(s) { if (index(s, "'")) gsub(/'/, "'\\''", s); return "'" s "'" }
