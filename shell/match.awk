# Does the event satisfy a compiled matcher? Conditions are joined with &, each path=e:values or
# path=r:automaton; values are percent-encoded. src/dispatch/match.ts says the same in TypeScript.

function matches(m) {
  if (!(m in M_cache)) M_cache[m] = valid ? conditions(m) : 0
  return M_cache[m]
}

function conditions(m,    n, i, a, p, path) {
  n = split(m, a, "&")
  for (i = 1; i <= n; i++) {
    p = index(a[i], "="); path = substr(a[i], 1, p - 1)
    if (!condition(path, substr(a[i], p + 1, 1), substr(a[i], p + 3))) return 0
  }
  return 1
}

function condition(path, op, operand,    i) {
  if (path == "tool_name") {
    for (i = 1; i <= name_count; i++) if (holds(names[i], op, operand)) return 1
    return 0
  }
  if (path == "paths") {
    # As they are, and as seen from the project's root.
    for (i = 1; i <= path_count; i++) {
      if (holds(paths[i], op, operand)) return 1
      if (E_root != "" && index(paths[i], E_root "/") == 1 && holds(substr(paths[i], length(E_root) + 2), op, operand)) return 1
    }
    return 0
  }
  if (JT[path] != "s" && JT[path] != "n" && JT[path] != "b") return 0
  if (length(JV[path]) > 32768) { needs_node = 1; return 1 }
  # Written otherwise than Node writes it (1.0, 1e0): Node compares.
  if (JT[path] == "n" && !json_plain(JV[path])) { needs_node = 1; return 1 }
  return holds(field(path), op, operand)
}

function holds(value, op, operand,    n, i, a) {
  if (op == "r") {
    n = dfa_match(E_slot "/dfa/" operand, value)
    # It cannot be read: that is no answer, and certainly not "no".
    if (n < 0) damaged = 1
    return n != 0
  }
  if (index(operand, "%") || index(operand, "|")) {
    n = split(operand, a, "|")
    for (i = 1; i <= n; i++) if (value == percent(a[i])) return 1
    return 0
  }
  return value == operand
}

function percent(s,    n, i, a, out) {
  if (!index(s, "%")) return s
  n = split(s, a, "%"); out = a[1]
  for (i = 2; i <= n; i++) out = out json_utf8(json_hex("00" substr(a[i], 1, 2))) substr(a[i], 3)
  return out
}

# The files that a tool touches, absolute and without . and ..

function plan_paths(native,    n, i, a) {
  n = split(F_paths[native], a, ",")
  for (i = 1; i <= n; i++) {
    if (sub(/\[\]$/, "", a[i])) plan_lines(field("tool_input." a[i]))
    else plan_path(field("tool_input." a[i]))
  }
  if (native in F_patch) plan_patch(field("tool_input." F_patch[native]))
}

function plan_lines(text,    n, i, a) {
  n = split(text, a, "\n")
  for (i = 1; i <= n; i++) plan_path(a[i])
}

function plan_patch(text,    n, i, a) {
  n = split(text, a, "\n")
  for (i = 1; i <= n; i++) {
    if (!index(a[i], "*** ")) continue
    # Codex trims these lines of all Unicode white space, so a padded header still names its file.
    sub(/^([ \t\r\f\v]|\302[\205\240]|\341\232\200|\342\200[\200-\212\250\251\257]|\342\201\237|\343\200\200)+/, "", a[i])
    sub(/([ \t\r\f\v]|\302[\205\240]|\341\232\200|\342\200[\200-\212\250\251\257]|\342\201\237|\343\200\200)+$/, "", a[i])
    if (sub(/^\*\*\* (Add|Update|Delete) File: /, "", a[i]) || sub(/^\*\*\* Move to: /, "", a[i]))
      plan_path(a[i])
  }
}

function plan_path(p,    i) {
  if (p == "") return
  if (substr(p, 1, 1) != "/") p = cwd "/" p
  p = plan_normal(p)
  for (i = 1; i <= path_count; i++) if (paths[i] == p) return
  paths[++path_count] = p
}

function plan_normal(p,    n, i, a, out, depth, part) {
  n = split(p, a, /\//); depth = 0; out = ""
  for (i = 1; i <= n; i++) {
    if (a[i] == "" || a[i] == ".") continue
    if (a[i] == "..") { if (depth) depth--; continue }
    part[++depth] = a[i]
  }
  for (i = 1; i <= depth; i++) out = out "/" part[i]
  return out == "" ? "/" : out
}
