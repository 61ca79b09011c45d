# The outcomes of one event -> one reply in the harness's dialect, and the ledger line.
# Runs after all hooks (AH_STEP empty), or after one that spoke, to learn whether it blocked or
# rewrote the input before the next one runs (AH_STEP = its row). Needs json, facts, wire or plain,
# streak, verdict, redact and reply.awk.

BEGIN {
  E_event = ENVIRON["AH_EVENT"]; E_run = ENVIRON["AH_RUN"]
  facts_read(ENVIRON["AH_FACTS"])
  index_read(ENVIRON["AH_INDEX"])
  takes_context = index(F_out["pass"], "$C") > 0
  takes_notice = index(F_out["pass"], "$N") > 0
  D_kind = "pass"
  if (ENVIRON["AH_NOTICE"] != "" && ENVIRON["AH_STEP"] == "") warn(ENVIRON["AH_NOTICE"])
  if (ENVIRON["AH_STEP"] != "") step(ENVIRON["AH_STEP"])
  # The answer first: some awks end where they cannot write.
  else { inbox(); outcomes(); settle(); answer(); fflush(); streaks_note() }
}

function index_read(file,    line, n) {
  while ((getline line < file) > 0) {
    if (++n == 1) split(line, meta, "\t")
    else row[n] = line
  }
  close(file)
  # Gone while the hooks ran: nothing said is better than hooks without names and rights.
  if (meta[1] != "@") exit 1
}

function load(r) { split(row[r], col, "\t") }

function judge(r, status, exit_code, detail) {
  load(r)
  out = slurp(E_run ".out." r, 1048576); err = slurp(E_run ".err." r, 1048576)
  verdict_of(col[5], unescape(col[16]), status, exit_code, detail, col[9], out, err)
}

function unescape(s) { return index(s, "\\") ? json_text(s) : s }

function step(r) {
  judge(r, "ok", ENVIRON["AH_STEP_EXIT"], "")
  refuse()
  if (K == "deny" || K == "halt") print "AH_BLOCKED=1"
  if (rewrite_payload()) print "AH_REWROTE=1"
  if (!unkept) print "AH_STEPPED=1"
}

# Puts the hook's new input into the payload file, which is what the next hook reads.
function rewrite_payload(    payload, patch, from, to) {
  if (V_mode == "" || F_rewrites == "") return 0
  payload = slurp(ENVIRON["AH_PAYLOAD"]); patch = V_input
  if (!json_parse(payload) || !(F_rewrites in JT)) return 0
  from = JB[F_rewrites]; to = JE[F_rewrites]
  if (V_mode == "merge") patch = merged_input(substr(payload, from, to - from + 1), patch)
  printf "%s%s%s", substr(payload, 1, from - 1), patch, substr(payload, to + 1) > ENVIRON["AH_PAYLOAD"]
  if (close(ENVIRON["AH_PAYLOAD"]) != 0) unkept = 1
  if (F_wire) wire_rewrite(patch)
  return 1
}

# What detached hooks said since the last event: file by file, the hook's name and its text.
function inbox(    n, i, a, text, p) {
  n = split(ENVIRON["AH_INBOX"], a, "\n")
  for (i = 1; i < n; i++) {
    text = slurp(E_run ".inbox." a[i], 1048576); p = index(text, "\n")
    add_context(substr(text, 1, p - 1), substr(text, p + 1))
  }
}

function outcomes(    n, i, lines, f) {
  base_input = ""
  n = split(slurp(E_run ".results"), lines, "\n")
  for (i = 1; i <= n; i++) {
    if (lines[i] == "") continue
    split(lines[i], f, "\t")
    if (f[2] == "skipped" || f[2] == "async") { load(f[1]); passed_over(f[2], f[5]); continue }
    judge(f[1], f[2], f[3], f[5])
    # After the last hook nobody asked yet whether it rewrote the input.
    if (f[1] == ENVIRON["AH_UNSTEPPED"]) rewrite_payload()
    outcome(f[4])
  }
}

function passed_over(status, note) {
  note_hook(col[5], status, "null", "pass", "", note, 0)
  if (status != "skipped" || index(note, "suspended: ") != 1) return
  streaks_here()
  if (col[5] in streak_told) return
  S_lines = S_lines ENVIRON["AH_HASH"] "\t" col[5] "\ts\n"
  warn("Hook " col[5] " failed " meta[9] " times in a row and is suspended for this session (" unescape(col[16]) "). Any edit of the hooks lifts that.")
}

# What the hook may do here: both keys must turn (R2), and the harness must know the words.
function refuse() {
  K = V_kind; clamped = unenforced = refused = ""
  if ((K == "deny" || K == "halt") && (col[3] != "true" || meta[3] != "1")) {
    refused = meta[3] == "1" ? "hook" : (F_blockable == "1" ? "setting" : "event")
    K = "pass"
  }
  if (V_mode != "" && !rewritable()) {
    unenforced = "there is no " (F_rewrites == "" ? "input" : F_rewrites) " to rewrite"
    V_mode = ""
    if (K == "rewrite") K = "pass"
  }
  if (refused == "" && !(K in F_out)) clamp()
}

function rewritable() {
  if (can_rewrite == "") can_rewrite = (F_rewrites != "" && json_parse(slurp(ENVIRON["AH_PAYLOAD"])) && (F_rewrites in JT)) ? "yes" : "no"
  return can_rewrite == "yes"
}

function clamp(    to) {
  to = ""
  if (K == "allow") to = (V_mode != "" && ("rewrite" in F_out)) ? "rewrite" : "pass"
  else if (col[3] == "true" && meta[3] == "1") {
    if (K != "deny" && ("deny" in F_out)) to = "deny"
    else if (K != "halt" && ("halt" in F_out)) to = "halt"
  }
  if (to == "") { unenforced = K " cannot be expressed at " E_event " in " ENVIRON["AH_HARNESS"]; to = "pass" }
  if (K != "allow" || V_mode != "") clamped = K
  if ((K == "rewrite" || K == "allow") && V_reason == "" && to != "pass" && to != "rewrite")
    V_reason = "Hook " col[5] " wanted to change the input, which is not possible here."
  K = to
}

function outcome(ms,    note) {
  refuse()
  note = H_detail
  if (note != "" && trimmed(err) != "") note = note ": " cut(trimmed(json_wellformed(err)), 200)
  if (refused == "hook") {
    say("Hook " col[5] " asked to block, but it may not (block is not set): " V_reason)
    note = "block refused: block is not set"
  } else if (refused == "setting") {
    say("Hook " col[5] " asked to block, but the blocking setting does not list " E_event ": " V_reason)
    note = "block refused: the blocking setting does not list " E_event
  } else if (refused == "event") {
    if (takes_context) add_context(col[5], V_reason)
    else warn("Hook " col[5] " asked to block, but " E_event " cannot be blocked: " V_reason)
    note = "block refused: " E_event " cannot be blocked"
  }
  if (clamped != "") { note = clamped " became " K; if (D_clamped == "") D_clamped = clamped }
  if (unenforced != "") {
    note = unenforced; D_unenforced = unenforced
    say("Hook " col[5] ": " unenforced (V_reason == "" ? "." : ": " V_reason))
  }
  if (V_context != "") { if (takes_context) add_context(col[5], V_context); else note = note (note == "" ? "" : "; ") "context is not taken here" }
  if (V_notice != "") add_notice(V_notice)
  if (V_mode != "" && K != "deny" && K != "halt" && unenforced == "") rewrote = 1
  if (H_status == "failed" || H_status == "timeout") complain("Hook " col[5] " failed: " H_detail " (" unescape(col[16]) ")" (trimmed(err) == "" ? "" : ": " cut(trimmed(json_wellformed(err)), 300)))
  else if (K != "deny" && K != "halt") forward(err)
  # That nobody asked it is no fault of the hook.
  if (H_detail != "no time left for this event") count_streak(H_status == "failed" || H_status == "timeout")
  merge_kind()
  note_hook(col[5], H_status, (H_exit == "" ? "null" : H_exit), V_kind, V_reason, note, ms)
}

function merge_kind(    said) {
  if (rank(K) < rank(D_kind) || (K == "pass" && D_kind == "pass")) return
  if (rank(K) > rank(D_kind)) { D_kind = K; D_reason = ""; B_err = "" }
  if (V_reason == "") return
  D_reason = D_reason (D_reason == "" ? "" : "\n") V_reason
  said = (H_status == "ok" || H_status == "") ? trimmed(json_wellformed(err)) : ""
  if (said == "") said = V_reason
  else if (!index(said, V_reason)) said = said "\n" V_reason
  B_err = B_err (B_err == "" ? "" : "\n") said
}

function say(text) { warn(text); if (takes_context) add_context(col[5], text) }
function warn(text) { complain(text); add_notice(text) }
function complain(text) { W_err = W_err "anyhook: " text "\n" }
function forward(text) { if (text != "") W_err = W_err json_wellformed(text) (text ~ /\n$/ ? "" : "\n") }
function add_notice(text) { if (takes_notice) D_notice = D_notice (D_notice == "" ? "" : "\n") text }

function add_context(name, text,    n, left) {
  left = meta[6] - C_used; n = characters(text)
  if (index(text, "anyhook-context")) {
    gsub(/<\/anyhook-context>/, "<\\/anyhook-context>", text)
    gsub(/<anyhook-context/, "<\\anyhook-context", text)
  }
  if (n > left) text = cut(text, left) "\n[cut by anyhook: the limit is " meta[6] " characters per event]"
  C_used += n < left ? n : left
  D_context = D_context (D_context == "" ? "" : "\n") "<anyhook-context hook=\"" name "\">\n" text "\n</anyhook-context>"
}

# A Stop hook holds the agent back at most once per reason, and eight times in all (loop guard).
function settle(    file, line, n, seen) {
  if ((E_event != "Stop" && E_event != "SubagentStop") || D_kind != "deny") return
  file = ENVIRON["AH_STATE"] "/" ENVIRON["AH_STOP_KEY"] ".stop"
  json_parse(slurp(ENVIRON["AH_PAYLOAD"]))
  if (JT["stop_hook_active"] == "b" && JV["stop_hook_active"] == "true") {
    while ((getline line < file) > 0) { n++; if (line == json_quote(D_reason)) seen = 1 }
    close(file)
  }
  if (seen || n >= 8) {
    D_clamped = "deny"; D_kind = "pass"
    D_unenforced = seen ? "already held back once for this reason" : "held back eight times already"
    warn("Not holding the agent back again: " D_unenforced ".")
    return
  }
  if (n) print json_quote(D_reason) >> file
  else print json_quote(D_reason) > file
  close(file)
  # Some harnesses deliver the reason as the next prompt; plan.awk knows it by this.
  file = ENVIRON["AH_STATE"] "/" ENVIRON["AH_STOP_KEY"] ".echo"
  print json_quote(D_reason) > file
  close(file)
}

function answer(    err, text, input) {
  if (rewrote && (D_kind == "rewrite" || D_kind == "ask" || D_kind == "allow")) {
    if (F_wire) input = wire_input()
    else {
      text = slurp(ENVIRON["AH_PAYLOAD"]); json_parse(text)
      input = substr(text, JB[F_rewrites], JE[F_rewrites] - JB[F_rewrites] + 1)
    }
  }
  err = W_err
  if (F_err[D_kind] != "") {
    err = B_err
    if (F_err[D_kind] == "reason+context" && D_context != "") err = err "\n\n" D_context
    if (err != "") err = err "\n"
  }
  # A reply without room for context: they are told at the next event.
  if (!index(F_out[D_kind], "$C") && F_err[D_kind] != "reason+context") print "AH_UNTOLD=1"
  text = fill(F_out[D_kind], input)
  print "AH_EXIT=" F_exit[D_kind] " AH_OUT=" quoted(text) " AH_ERR=" quoted(err)
  print "AH_HOOKS=" quoted(L_hooks) " AH_DECISION=" quoted(decision())
}

function quoted(s) { if (index(s, "'")) gsub(/'/, "'\\''", s); return "'" s "'" }

function note_hook(name, status, exit_code, kind, reason, note, ms) {
  L_hooks = L_hooks ",{\"name\":\"" name "\",\"status\":\"" status "\",\"exit\":" exit_code ",\"verdict\":\"" kind "\"" \
    (reason == "" ? "" : ",\"reason\":" json_quote(cut(redact(reason), 300))) \
    (note == "" ? "" : ",\"note\":" json_quote(cut(redact(note), 300))) ",\"ms\":" ms + 0 "}"
}

function decision() {
  return "{\"verdict\":\"" D_kind "\"" (D_reason == "" ? "" : ",\"reason\":" json_quote(cut(redact(D_reason), 500))) \
    (D_clamped == "" ? "" : ",\"clampedFrom\":\"" D_clamped "\"") \
    (D_unenforced == "" ? "" : ",\"unenforced\":" json_quote(D_unenforced)) "}"
}
