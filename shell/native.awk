# What a command said in its harness's words -> in ours, on stdout and as the exit code. natives.txt has
# the words. After json.awk, facts.awk and wire.awk.

BEGIN {
  at = ENVIRON["ANYHOOK_LIB"]; sub(/[^\/]*$/, "", at)
  harness = ENVIRON["ANYHOOK_HARNESS"]; event = ENVIRON["ANYHOOK_EVENT"]
  natives_read(at "natives.txt")
  if (ENVIRON["ANYHOOK_ASKED"] == "shell") { print N["shell"]; exit 0 }
  run = ENVIRON["NATIVE_RUN"]; code = ENVIRON["NATIVE_EXIT"]
  out = bare(slurp(run "/out", 1048577)); err = bare(slurp(run "/err", 1048577))
  if (length(out) > 1048576) { print "printed more than 1 MB" > "/dev/stderr"; exit 70 }
  exit answer()
}

# Those of this event, else those of all.
function natives_read(file,    line, a, own, i, k) {
  while ((getline line < file) > 0) {
    if (split(line, a, "\t") < 4 || a[1] != harness || (a[2] != event && a[2] != "*")) continue
    if (a[2] == event) own = 1
    k = ++lines; where[k] = a[2]; fact[k] = a[3]; value[k] = a[4]
  }
  close(file)
  for (i = 1; i <= lines; i++) if (where[i] == (own ? event : "*")) {
    N[fact[i]] = value[i]
    if (fact[i] ~ /^says /) { S[++says] = substr(fact[i], 6); S_means[says] = value[i] }
  }
}

function answer(    means, isJson) {
  means = code == 0 ? "" : (("exit " code) in N) ? N["exit " code] : ("exit *" in N) ? N["exit *"] : "fail"
  isJson = reads_json() && read_json(out)
  if (!isJson && out == "" && N["stderr"] == "json" && read_json(err)) isJson = 1
  if (!isJson && json_gave_up) { print "printed JSON that is too deep to read" > "/dev/stderr"; return 70 }
  if (isJson && N["json"] == "first") means = ""
  if (means != "" && means != "fail" && N["quiet"] == "pass" && out == "" && err == "") means = ""
  if (isJson) told()
  if (code == 0 && !isJson && out != "") plain()
  if (means == "deny" || means == "halt") { kind = stricter(kind, means); if (reason == "") reason = isJson || out == "" ? err : out }
  else if (means == "tell") add_context(err)
  else if (means == "fail" && rank(kind) < rank("ask")) return code
  return say()
}

function reads_json() {
  return N["json"] == "first" || N["json"] == "any exit" || (N["json"] == "exit 0" && code == 0)
}

function read_json(text) { return substr(text, 1, 1) == "{" && json_parse(text) && JT[""] == "o" }

# Text that is no JSON.
function plain() {
  if (N["text"] == "context") add_context(out)
  else if (N["text"] == "notice") notice = out
  else if (N["text"] == "deny") { kind = "deny"; reason = "it printed what is no JSON: " out }
}

function told(    i, k, path, want) {
  for (i = 1; i <= says; i++) {
    k = index(S[i], "="); path = k ? substr(S[i], 1, k - 1) : S[i]; want = k ? substr(S[i], k + 1) : ""
    if (!(path in JT) || JT[path] == "z" || JT[path] == "") continue
    if (k && (JT[path] == "s" ? json_text(JV[path]) : JV[path]) != want) continue
    tell(S_means[i], path)
  }
  if (raw_input != "") raw_input = canonical(raw_input)
}

function tell(means, path,    text) {
  text = JT[path] == "s" ? json_text(JV[path]) : ""
  if (means == "reason") { if (reason == "") reason = text }
  else if (means == "context") add_context(text)
  else if (means == "notice") notice = text
  else if (means == "holds") { if (text != "") { kind = stricter(kind, "deny"); reason = text } }
  else if (means == "input" || means == "merge") {
    if (JT[path] == "o") { raw_input = wire_slice_of(path); mode = means }
  }
  else if (means == "unsaid") lost = lost (lost == "" ? "" : ", ") path
  else kind = stricter(kind, means)
}

function wire_slice_of(path) { return substr(read_from(), JB[path], JE[path] - JB[path] + 1) }
function read_from() { return out == "" ? err : out }

# Its keys are the harness's; the next hook must see ours.
function canonical(value,    text) {
  facts_read(at "../dist/facts/" harness "/" event)
  text = slurp(run "/in")
  if (!json_parse(text)) return value
  wire_tool()
  text = "{\"i\":" value "}"
  if (!json_parse(text)) return value
  return wire_canonical_input(text, "i", F_input[native_tool])
}

function add_context(text) { if (text != "") context = context (context == "" ? "" : "\n") text }

function rank(word) { return index("pass    allow   rewrite ask     deny    halt", word == "" ? "pass" : word) }
function stricter(a, b) { return rank(a) >= rank(b) ? a : b }

function say(    body, inner) {
  if (lost != "") notice = notice (notice == "" ? "" : "\n") "it said " lost ", which nobody here can pass on"
  if (kind == "halt") body = ",\"continue\":false,\"stopReason\":" quoted_text(reason)
  else if (kind != "" && kind != "pass") body = ",\"decision\":\"" kind "\"" (reason == "" ? "" : ",\"reason\":" quoted_text(reason))
  if (context != "") inner = ",\"additionalContext\":" quoted_text(context)
  if (raw_input != "" && mode == "input") inner = inner ",\"updatedInput\":" raw_input
  if (raw_input != "" && mode == "merge") body = body ",\"rewrite\":" raw_input
  if (inner != "") body = body ",\"hookSpecificOutput\":{" substr(inner, 2) "}"
  if (notice != "") body = body ",\"systemMessage\":" quoted_text(notice)
  if (body != "") print "{" substr(body, 2) "}"
  return 0
}

function quoted_text(s) { return json_quote(json_wellformed(s)) }
function bare(s) { sub(/^[ \t\r\n]+/, "", s); sub(/[ \t\r\n]+$/, "", s); return s }
