# Which hooks does this event choose? Reads the payload from standard input, the facts of the
# harness and the compiled index of the event, and prints shell code that dispatch.sh evaluates.
# Needs json, facts, odd, wire or plain, streak, dfa, match, placeholders and job.awk. Everything comes in by
# ENVIRON: -v would eat backslashes.

BEGIN {
  E_root = ENVIRON["AH_ROOT"]; E_event = ENVIRON["AH_EVENT"]; E_slot = ENVIRON["AH_SLOT"]
  E_after = ENVIRON["AH_AFTER"] + 0; E_depth = ENVIRON["AH_DEPTH"] + 0
  facts_read(ENVIRON["AH_FACTS"])
  payload = plan_stdin()
  valid = json_parse(payload) && JT[""] == "o"
  # An escaped NUL cannot live in an awk string: Node reads such a payload.
  needs_node = valid && index(payload, "\\u0000") > 0
  # Deeper or odder than a harness writes: Node decides, and this is only the order of the rows.
  gave_up = json_gave_up
  if (gave_up) { needs_node = 1; valid = 1 }
  # Of what is no JSON nothing is known, not even its beginning.
  if (!valid) split("", JT)
  native = payload; native_tool = ENVIRON["AH_NATIVE_TOOL"]
  if (!E_after && plan_other()) exit
  if (F_wire && !E_after && valid && !gave_up) wire_read()
  plan_facts()
  srand(); now = srand()
  if (!E_after && plan_elsewhere()) exit
  if (!E_after) plan_ignore()
  plan_identity()
  plan_hooks(ENVIRON["AH_INDEX"])
  if (damaged && ENVIRON["AH_REBUILT"] == "") { keep_native(); print "AH_LANE=rebuild"; exit }
  if (damaged && meta[1] != "@") exit
  plan_print()
}

# RS is a byte that JSON cannot contain, so the text comes whole, last newline included.
function plan_stdin(    line, text, n) {
  RS = "\001"
  while ((getline line) > 0) text = (n++) ? text "\001" line : line
  RS = "\n"
  return text
}

function field(path) {
  if (JT[path] == "s") return json_wellformed(json_text(JV[path]))
  # Written otherwise than Node writes it (1.0, 1e0): Node reads it.
  if (JT[path] == "n" && !json_plain(JV[path])) needs_node = 1
  return (JT[path] == "n" || JT[path] == "b") ? JV[path] : ""
}

function plan_facts(    n, i, a) {
  session = field("session_id"); cwd = field("cwd"); tool = F_wire && JT["tool_name"] != "s" ? "" : field("tool_name")
  if (!F_wire) native_tool = tool
  if (cwd == "") cwd = ENVIRON["PWD"]
  names[1] = native_tool; name_count = native_tool == "" ? 0 : 1
  if (native_tool in F_tool) {
    n = split(F_tool[native_tool], a, "|")
    tool = a[1]
    for (i = 1; i <= n; i++) if (a[i] != native_tool) names[++name_count] = a[i]
    plan_paths(native_tool)
  } else if (tool != native_tool && name_count) names[++name_count] = tool
}

# The harness named no project and we stand in none: the payload's folder may be in one. It never
# takes a project away, because the model can choose it (a command's own working directory).
# A clock that stands before the last compile cannot tell what is newer: the content must.
function plan_elsewhere(    lane) {
  if (ENVIRON["AH_MOVED"] != "") return 0
  if (now < ENVIRON["AH_STAMPED"] + 0) lane = "regate"
  else if (ENVIRON["AH_HINT"] == "" && E_root == "" && field("cwd") != "" && cwd != ENVIRON["AH_FROM"]) lane = "moved"
  else return 0
  keep_native()
  print "AH_LANE=" lane " AH_CWD=" quoted(cwd)
  return 1
}

function plan_hooks(file,    line, row) {
  while ((getline line < file) > 0) {
    row++
    if (row == 1) { plan_meta(line); continue }
    if (row <= E_after || ignored != "") continue
    if (split(line, col, "\t") != 18) { damaged = 1; notes = notes ",\"line " row " of the manifest is damaged\""; continue }
    if (col[12] != "-" && !index("," col[12] ",", "," ENVIRON["AH_HARNESS"] ",")) continue
    if (col[13] != "-" && !matches(col[13])) continue
    plan_hook(row, line)
  }
  close(file); last_row = row
  # Less than was written: a damaged store must never read as "no hooks".
  if (meta[1] != "@" || meta[8] == "" || meta[8] + 1 != row) damaged = 1
}

function keep_native() { keep(native, ENVIRON["AH_PAYLOAD"]) }

# Hooks read the canonical form; Node, and who asks for it, the native one.
function keep_payload() {
  keep(payload, ENVIRON["AH_PAYLOAD"])
  if (F_wire) keep(native, substr(ENVIRON["AH_PAYLOAD"], 1, length(ENVIRON["AH_PAYLOAD"]) - 2) "native")
}

function keep(text, file) { printf "%s", text > file; if (close(file) != 0) unkept = 1 }

function plan_meta(line) {
  meta_line = line; split(line, meta, "\t")
  if (!(2 in meta)) meta[2] = "run-all"
}

function plan_hook(row, line,    why) {
  row_line = line
  why = excluded()
  if (why != "") {
    calls = calls "ah_skip " row " " quoted(col[5]) " " quoted(why) "\n"
    skipped = skipped ",{\"name\":\"" col[5] "\",\"status\":\"skipped\",\"exit\":null,\"verdict\":\"pass\",\"note\":\"" why "\",\"ms\":0}"
    return
  }
  count++
  if (col[7] == "managed" && !index(col[11], "a")) reserve += col[8] < 5000 ? col[8] : 5000
  if (col[9] == "block" && col[3] == "true" && meta[3] == "1") must = 1
  # A detached hook is only queued here, whatever it is.
  if (!index(col[11], "a") && (col[6] !~ /^(script|shell|exec)$/ || index(col[11], "c"))) needs_node = 1
  calls = calls plan_call(row)
}

# Managed hooks cannot be switched off from below, not by a made-up depth either; three is the end.
function excluded() {
  if (E_depth > 0 && (E_depth >= 3 || (col[7] != "managed" && !index(col[11], "r")))) return "inside another hook"
  if (index(col[11], "o") && once_done(col[5])) return "once per session"
  if (col[7] == "managed") return ""
  if (ENVIRON["ANYHOOK"] == "0") return "ANYHOOK=0"
  if (ENVIRON["AH_PAUSED"] != "") return "paused"
  if (index("," ENVIRON["ANYHOOK_SKIP"] ",", "," col[5] ",")) return "ANYHOOK_SKIP"
  if (suspended()) return "suspended: failed " meta[9] " times in a row in this session"
  return ""
}

# Asked only about hooks that were chosen, so a quiet event opens no file for it.
function suspended() {
  if (!streaks_count(session)) return 0
  if (!streaks_known) streaks_read(ENVIRON["AH_STATE"] "/" safe(session) ".fails", ENVIRON["AH_HASH"])
  if (!(col[5] in streak)) return 0
  if (streak[col[5]] < meta[9] + 0 || !(col[5] in streak_told)) tell = 1
  return streak[col[5]] >= meta[9] + 0
}

function once_file(name) {
  gsub(/\//, "+", name)
  return ENVIRON["AH_STATE"] "/" safe(session) "." name ".once"
}

function once_done(name,    line) { return (getline line < once_file(name)) >= 0 }

# Part of a file name, so bounded: what is long keeps its beginning and a hash.
function safe(s) {
  if (length(s) > 100) s = substr(s, 1, 80) event_hash(s)
  gsub(/[^A-Za-z0-9_-]/, "_", s)
  return s
}

function quoted(s) { if (index(s, "'")) gsub(/'/, "'\\''", s); return "'" s "'" }

function plan_call(row,    code, n, i, a, argv) {
  code = ""
  n = split(cell(col[14]), a, "\n")
  for (i = 1; i <= n; i++) if (a[i] != "-") code = code "ah_need " quoted(a[i]) "\n"
  if (index(col[11], "o")) code = code "ah_once " quoted(once_file(col[5])) "\n"
  code = code plan_arguments(row)
  if (col[6] == "script") argv = quoted(cell(col[4]))
  else if (col[6] == "shell") argv = "/bin/sh -c " quoted(cell(col[4]))
  else argv = col[6] == "exec" ? exec_words(cell(col[4])) : "-"
  if (index(col[11], "a")) code = code job_call(row, argv)
  return code "ah_hook " row " " col[6] " " quoted(col[5]) " " col[8] " " col[3] " " col[10] " " \
    col[11] (col[7] == "managed" ? "m" : "") " " col[9] " " quoted(cell(col[15])) " " argv " || return\n"
}

function cell(s) { return index(s, "\\") ? json_text(s) : s }

function plan_identity() {
  if (E_after) id = ENVIRON["AH_ID"]
  else {
    id = field("tool_use_id")
    if (id == "" && F_wire) id = wire_key()
    if (id == "") id = event_hash(native)
    else if (length(id) > 200) id = event_hash(id)
    id = safe(session) ":" E_event ":" id
  }
  plan_joined()
}

# An environment is bounded; the payload on standard input has them all.
function plan_joined(    i) {
  joined = cut_paths = ""
  for (i = 1; i <= path_count; i++) {
    if (length(joined) >= 60000 || length(paths[i]) > 60000) cut_paths = 1
    else joined = joined (joined == "" ? "" : "\n") paths[i]
  }
}

function plan_print(    lane) {
  # Whether a hook is chosen is then not known here.
  if (needs_node && last_row > 1) count += count == 0
  if (meta[5] == "1") needs_node = count = count + (count == 0)
  if (ENVIRON["ANYHOOK_LANE"] == "node") lane = "node"
  else lane = count == 0 ? "quiet" : (needs_node ? "node" : "shell")
  plan_must()
  if (lane != "quiet" && !E_after) keep_payload()
  if (unkept) exit
  if (!valid) notes = notes ",\"the payload is not a JSON object\""
  print "AH_LANE=" lane " AH_ROWS=" last_row + 0 " AH_BUDGET=" F_budget " AH_RESERVE=" int(reserve > F_budget / 2 ? F_budget / 2 : reserve) " AH_STOP_KEY=" quoted(safe(session))
  if (F_wire) print "AH_NATIVE_TOOL=" quoted(substr(native_tool, 1, 1000))
  if (ignored != "") print "AH_IGNORED=" quoted(ignored)
  print "AH_TOOL=" quoted(substr(tool, 1, 1000)) " AH_PATHS=" quoted(joined) " AH_PATHS_CUT=" cut_paths " AH_ID=" quoted(id)
  print "AH_CHAIN=" meta[2] " AH_BLOCKABLE=" meta[3] " AH_RAW=" meta[4] " AH_REWRITES=" quoted(F_rewrites)
  print "AH_DAY=" day_of(now) " AH_SKIPPED=" quoted(skipped) " AH_NOTES=" quoted(notes)
  # Something must be noted or said even if all hooks are silent.
  if (tell) print "AH_TELL=1"
  print "AH_ASYNC=" meta[10] " AH_TAKES=" (index(F_out["pass"], "$C") > 0 ? 1 : "") " AH_HEAD=" quoted(ledger_head())
  print "ah_plan() {\n" calls ":\n}"
}

# Said before anything is written, because some awks end where they cannot write: is there a hook that
# blocks when it fails? Of a payload that Node has to read the rows here are no proof.
function plan_must() {
  if (must) print "AH_MUST=yes"
  else if (!E_after && !gave_up && meta[5] != "1" && !index(payload, "\\u0000")) print "AH_MUST=no"
  fflush()
}

function ledger_head() {
  return "{\"v\":1,\"time\":\"" day_of(now) "T" clock_of(now) "Z\",\"id\":" json_quote(json_wellformed(id)) \
    ",\"harness\":\"" ENVIRON["AH_HARNESS"] "\",\"event\":\"" E_event "\",\"session\":" json_quote(json_wellformed(substr(session, 1, 500))) \
    ",\"tool\":" json_quote(json_wellformed(substr(tool, 1, 1000))) ",\"manifest\":\"" meta[7] "\",\"depth\":" E_depth
}
