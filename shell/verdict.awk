# One hook's run -> its verdict: V_kind V_reason V_context V_input V_mode V_notice, and H_status,
# H_detail where the run itself failed. src/handlers/_verdict.ts says the same in TypeScript.

function rank(kind) { return index("pass    allow   rewrite ask     deny    halt", kind) }
function stricter(a, b) { return rank(a) >= rank(b) ? a : b }

function verdict_of(name, source, status, exit_code, detail, on_failure, out, err) {
  V_kind = "pass"; V_reason = V_context = V_input = V_mode = V_notice = ""
  H_status = status; H_detail = detail; H_exit = exit_code
  if (status == "ok" && length(out) >= 1048576 && out ~ /^[ \t\r\n]*[{]/) {
    status = H_status = "failed"; H_detail = "printed more than 1 MB of JSON"
  }
  out = trimmed(json_wellformed(out)); err = trimmed(json_wellformed(err))
  if (status == "ok") {
    if (substr(out, 1, 1) == "{" && json_parse(out) && JT[""] == "o" && speaks()) verdict_structured(out, exit_code, err)
    else if (out ~ /^[{][ \t\r\n]*[}]$/) verdict_text("", exit_code, err)
    else if (substr(out, 1, 1) == "{" && json_gave_up) { H_status = "failed"; H_detail = "printed JSON that is too deep to read" }
    else verdict_text(out, exit_code, err)
  }
  if (H_status == "failed" || H_status == "timeout") verdict_failed(name, on_failure, err != "" || substr(out, 1, 1) == "{" ? err : out)
  if ((V_kind == "deny" || V_kind == "halt" || V_kind == "ask") && V_reason == "")
    V_reason = (V_kind == "ask" ? "Hook " name " (" source ") asks for confirmation." : "Blocked by hook " name " (" source ").")
}

# An object without a single member that means something to us is data, and data is text; {} is silence.
function speaks(    p) {
  for (p in JT)
    if (p ~ /^(continue|stopReason|suppressOutput|systemMessage|decision|permissionDecision|reason|message|context|rewrite|hookSpecificOutput|terminalSequence|async|asyncTimeout)$/) return 1
  return near_miss() != ""
}

# A slip in what counts must not read as "go on". src/handlers/_slip.ts is the same.
function verdict_slip(    n, i, a, said) {
  said = "decision s permissionDecision s hookSpecificOutput.permissionDecision s hookSpecificOutput.decision.behavior s"
  n = split("continue b hookSpecificOutput o hookSpecificOutput.decision o " said " rewrite o hookSpecificOutput.updatedInput o hookSpecificOutput.decision.updatedInput o context s hookSpecificOutput.additionalContext s reason s message s stopReason s systemMessage s permissionDecisionReason s hookSpecificOutput.permissionDecisionReason s hookSpecificOutput.decision.message s", a, " ")
  for (i = 1; i < n; i += 2)
    if (JT[a[i]] != "" && JT[a[i]] != "z" && JT[a[i]] != a[i + 1])
      return a[i] " must be " (a[i + 1] == "s" ? "a text" : a[i + 1] == "o" ? "an object" : "true or false")
  n = split(said, a, " ")
  for (i = 1; i < n; i += 2)
    if (text_at(a[i]) != "" && decision_word(text_at(a[i])) == "pass" && text_at(a[i]) != "defer")
      return "unknown decision " json_quote(text_at(a[i]))
  said = near_miss()
  if (said != "") return said
  if (text_at("reason") == "" && text_at("message") == "") return ""
  n = split("decision permissionDecision continue context rewrite hookSpecificOutput stopReason", a, " ")
  for (i = 1; i <= n; i++)
    if (JT[a[i]] != "" && JT[a[i]] != "z" && !(JT[a[i]] == "s" && JV[a[i]] == "")) return ""
  return "a reason without a decision"
}

function kind_said(    k) {
  k = stricter(decision_word(text_at("decision")), decision_word(text_at("hookSpecificOutput.permissionDecision")))
  k = stricter(k, decision_word(text_at("hookSpecificOutput.decision.behavior")))
  k = stricter(k, decision_word(text_at("permissionDecision")))
  return (JT["continue"] == "b" && JV["continue"] == "false") ? "halt" : k
}

# Nothing decides, and a member that is nearly one that does has a value that would count there: of
# type s a word that decides, of type b false, of type o any. Of several the first by its bytes.
function near_miss(    n, i, a, p, found) {
  if (kind_said() != "pass" || JT["rewrite"] == "o" || ("hookSpecificOutput.updatedToolOutput" in JT)) return ""
  if (JT["hookSpecificOutput.updatedInput"] == "o" || JT["hookSpecificOutput.decision.updatedInput"] == "o") return ""
  n = split("decision s permissionDecision s continue b rewrite o hookSpecificOutput o hookSpecificOutput.permissionDecision s hookSpecificOutput.decision o hookSpecificOutput.updatedInput o hookSpecificOutput.decision.behavior s hookSpecificOutput.decision.updatedInput o", a, " ")
  for (p in JT) {
    # Data may be large: only the places that count are looked at any closer.
    if (index(p, ".") && index(p, "hookSpecificOutput.") != 1) continue
    if ((found != "" && found <= p) || length(p) > 60) continue
    if (JT[p] != "o" && (JT[p] != "b" || JV[p] != "false") && (JT[p] != "s" || decision_word(text_at(p)) == "pass")) continue
    for (i = 1; i < n; i += 2) if (a[i + 1] == JT[p] && nearly(p, a[i])) found = p
  }
  for (i = 1; i < n && found != ""; i += 2)
    if (a[i + 1] == JT[found] && nearly(found, a[i])) return "unknown member " found ", which looks like " a[i]
  return ""
}

# Two edits from a known name, one where that is short, in the same place; case, _ and - are none.
function nearly(p, known,    at) {
  at = match(known, /[^.]+$/)
  if (p == known || substr(p, 1, at - 1) != substr(known, 1, at - 1)) return 0
  p = substr(p, at); known = tolower(substr(known, at))
  if (p !~ /^[A-Za-z_-]+$/) return 0
  p = tolower(p); gsub(/[_-]/, "", p)
  at = length(p) - length(known)
  return at <= 2 && at >= -2 && edits(p, known) <= (length(known) > 7 ? 2 : 1)
}

# A swap of neighbours is one edit.
function edits(x, y,    i, j, d, m, n, c) {
  m = length(x); n = length(y)
  for (i = 0; i <= m; i++) for (j = 0; j <= n; j++) {
    if (i * j == 0) { d[i, j] = i + j; continue }
    c = d[i - 1, j - 1] + (substr(x, i, 1) != substr(y, j, 1))
    if (d[i - 1, j] + 1 < c) c = d[i - 1, j] + 1
    if (d[i, j - 1] + 1 < c) c = d[i, j - 1] + 1
    if (i > 1 && j > 1 && substr(x, i, 1) == substr(y, j - 1, 1) && substr(x, i - 1, 1) == substr(y, j, 1) && d[i - 2, j - 2] + 1 < c)
      c = d[i - 2, j - 2] + 1
    d[i, j] = c
  }
  return d[m, n]
}

function verdict_text(out, exit_code, err) {
  if (exit_code == 0) V_context = out
  else if (exit_code == 2) { V_kind = "deny"; V_reason = err != "" ? err : out }
  else { H_status = "failed"; H_detail = "exit " exit_code }
}

function verdict_structured(out, exit_code, err,    k) {
  H_detail = exit_code == 2 ? "" : verdict_slip()
  if (H_detail != "") { H_status = "failed"; return }
  k = kind_said()
  verdict_input(out)
  if (k == "pass" && V_mode != "") k = "rewrite"
  if (exit_code == 2) k = stricter(k, "deny")
  if (exit_code != 0 && exit_code != 2 && rank(k) < rank("ask")) {
    V_input = V_mode = ""; H_status = "failed"; H_detail = "exit " exit_code
    return
  }
  V_kind = k
  V_reason = first_text("reason", "hookSpecificOutput.permissionDecisionReason", "permissionDecisionReason", "message", "hookSpecificOutput.decision.message", "stopReason")
  if (V_reason == "" && rank(k) >= rank("ask")) V_reason = err
  V_context = text_at("context")
  if (text_at("hookSpecificOutput.additionalContext") != "")
    V_context = V_context (V_context == "" ? "" : "\n") text_at("hookSpecificOutput.additionalContext")
  V_notice = text_at("systemMessage")
}

function decision_word(w) {
  if (w == "block" || w == "deny") return "deny"
  if (w == "ask") return "ask"
  return (w == "allow" || w == "approve") ? "allow" : "pass"
}

function verdict_input(out) {
  if (JT["rewrite"] == "o") take_input(out, "rewrite", "merge")
  else if (JT["hookSpecificOutput.updatedInput"] == "o") take_input(out, "hookSpecificOutput.updatedInput", "replace")
  else if (JT["hookSpecificOutput.decision.updatedInput"] == "o") take_input(out, "hookSpecificOutput.decision.updatedInput", "replace")
  else if (E_event == "PostToolUse" && ("hookSpecificOutput.updatedToolOutput" in JT)) take_input(out, "hookSpecificOutput.updatedToolOutput", "replace")
}

function take_input(out, path, mode) { V_input = substr(out, JB[path], JE[path] - JB[path] + 1); V_mode = mode }

function text_at(path) { return JT[path] == "s" ? json_text(JV[path]) : "" }

function first_text(a, b, c, d, e, f) {
  if (text_at(a) != "") return text_at(a)
  if (text_at(b) != "") return text_at(b)
  if (text_at(c) != "") return text_at(c)
  if (text_at(d) != "") return text_at(d)
  return text_at(e) != "" ? text_at(e) : text_at(f)
}

function verdict_failed(name, on_failure, err,    said) {
  V_context = V_input = V_mode = ""
  said = "Hook " name " failed (" H_detail ")" (err == "" ? "" : ": " cut(err, 300))
  if (on_failure == "block") { V_kind = "deny"; V_reason = said ". It is set to block when it fails." }
  else if (on_failure == "warn") V_notice = said "."
}

function trimmed(s) { sub(/^[ \t\r\n]+/, "", s); sub(/[ \t\r\n]+$/, "", s); return s }

# The first n characters (code points) of UTF-8 bytes.
function cut(s, n,    i, c, len) {
  if (length(s) <= n) return s
  len = length(s)
  for (i = 1; i <= len; i++) {
    c = substr(s, i, 1)
    if (c < "\200" || c >= "\300") if (n-- == 0) return substr(s, 1, i - 1)
  }
  return s
}

function characters(s) { gsub(/[\200-\277]/, "", s); return length(s) }

# The members of `base` with those of `patch` laid over them, as raw text; key order is base first.
function merged_input(base, patch,    n, i, k, out, used, key, val, kn) {
  members(patch)
  kn = M_count
  for (i = 1; i <= kn; i++) { key[i] = M_key[i]; val[i] = M_raw[i] }
  members(base); out = ""
  for (i = 1; i <= M_count; i++) {
    n = 0
    for (k = 1; k <= kn; k++) if (key[k] == M_key[i]) n = k
    if (n) used[n] = 1
    out = out "," (n ? val[n] : M_raw[i])
  }
  for (k = 1; k <= kn; k++) if (!(k in used)) out = out "," val[k]
  return "{" substr(out, 2) "}"
}
