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
  return holds(field(path), op, operand)
}

function holds(value, op, operand,    n, i, a) {
  if (op == "r") return dfa_match(E_slot "/dfa/" operand, value) == 1
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
