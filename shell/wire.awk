# The canonical payload from the native one, by slices of its text, and a rewritten input the way
# back. src/dispatch/canonical.ts and input-keys.ts say the same in TypeScript.

# Native path of a canonical member: the first that is there and not null.
function wire_path(name,    n, i, a, k) {
  if (!(name in F_field)) return wire_there(name) ? name : ""
  n = split(F_field[name], a, "|")
  for (i = 1; i <= n; i++) {
    k = index(a[i], "?")
    if (k && !wire_there(substr(a[i], k + 1))) continue
    if (k) a[i] = substr(a[i], 1, k - 1)
    if (wire_there(a[i])) return a[i]
  }
  return ""
}

function wire_there(p) { return (p in JT) && JT[p] != "z" }

function wire_text(p) { return (p in JT) && JT[p] == "s" ? json_text(JV[p]) : "" }

function wire_slice(text, p) { return p == "" ? "" : substr(text, JB[p], JE[p] - JB[p] + 1) }

# From plan.awk: `payload` becomes canonical, and the tables are those of the canonical one.
function wire_read(    out, i, p, k, used, input) {
  native = payload
  wire_tool()
  input = wire_canonical_input(payload, wire_path("tool_input"), F_input[native_tool])
  out = "{\"hook_event_name\":" json_quote(E_event)
  for (i = 1; i <= F_fields; i++) {
    p = wire_path(F_order[i])
    if (p == "") continue
    k = p; sub(/\..*/, "", k)
    used[k] = 1
    out = out ",\"" F_order[i] "\":" wire_value(F_order[i], wire_slice(payload, p), input)
  }
  children("", payload)
  for (i = 1; i <= M_count; i++) {
    k = M_key[i]
    if (k == "hook_event_name" || (k in used) || (k in F_field)) continue
    if (k == "tool_name" || k == "tool_input") out = out ",\"" k "\":" wire_value(k, wire_slice(payload, k), input)
    else out = out "," M_raw[i]
  }
  payload = out "}\n"
  json_parse(payload)
}

# native_tool and what we call it, wire_name.
function wire_tool(    a, server, tool) {
  native_tool = wire_text(wire_path("tool_name")); wire_name = native_tool
  if (native_tool in F_tool) { split(F_tool[native_tool], a, "|"); wire_name = a[1]; return }
  if (F_mcp_server == "") return
  server = wire_text(F_mcp_server); tool = wire_text(F_mcp_tool)
  if (server != "" && tool != "") wire_name = "mcp__" server "__" tool
}

function wire_value(name, raw_value, input) {
  if (name == "tool_input") return input
  return name == "tool_name" && wire_name != native_tool ? json_quote(wire_name) : raw_value
}

# No id of a tool call: the call, which Pre and Post have in common, and the whole payload.
function wire_key(    p, key) {
  if (!json_parse(native)) return ""
  p = wire_path("tool_name")
  if (p == "" || JT[p] != "s") key = event_hash(native)
  else key = event_hash(wire_slice(native, p) wire_slice(native, wire_path("tool_input"))) "-" event_hash(native)
  json_parse(payload)
  return key
}

# The renames that hold for the members of the object at `path`: P_from, P_to, P_list, P_text, P_count.
function wire_pairs(text, path, keys,    n, i, a, k, from, to, list, taken, line) {
  P_count = 0
  n = split(keys, a, ",")
  for (i = 1; i <= n; i++) {
    k = index(a[i], "="); from = substr(a[i], 1, k - 1); to = substr(a[i], k + 1)
    list = sub(/\[\]$/, "", from)
    if (from == "" || !((path "." from) in JT) || (to in taken)) continue
    if (to != from && ((path "." to) in JT)) continue
    line = list ? wire_joined(text, path "." from) : ""
    if (list && line == "") continue
    taken[to] = 1; P_count++
    P_from[P_count] = from; P_to[P_count] = to; P_list[P_count] = list; P_text[P_count] = line
  }
}

# The canonical key of an input that is no object itself.
function wire_whole(keys,    n, i, a) {
  n = split(keys, a, ",")
  for (i = 1; i <= n; i++) if (substr(a[i], 1, 3) == "[]=") return substr(a[i], 4)
  return ""
}

# One text, a line per element; a text stays as it is, and what has no texts is nothing.
function wire_joined(text, p,    i, out, line) {
  if (JT[p] == "s") return wire_slice(text, p)
  if (JT[p] != "a") { out = wire_words(text, p); return out == "" ? "" : "\"" out "\"" }
  out = ""
  for (i = 0; i < JN[p]; i++) {
    line = wire_words(text, p "." i)
    if (line == "") return ""
    out = out (i ? "\\n" : "") line
  }
  return out == "" ? "" : "\"" out "\""
}

# A text, or the texts of an object and of the lists in it, with spaces; raw, without quotes.
function wire_words(text, p,    i, k, out, q) {
  if (JT[p] == "s") return JV[p]
  if (JT[p] != "o") return ""
  children(p, text); out = ""
  for (i = 1; i <= M_count; i++) {
    q = p "." M_key[i]
    if (JT[q] == "s") out = out " " JV[q]
    else if (JT[q] == "a") for (k = 0; k < JN[q]; k++) if (JT[q "." k] == "s") out = out " " JV[q "." k]
  }
  return substr(out, 2)
}

function wire_canonical_input(text, path, keys,    i, k, out, n) {
  if (path == "" || keys == "") return wire_slice(text, path)
  if (JT[path] != "o") {
    k = wire_whole(keys); out = k == "" ? "" : wire_joined(text, path)
    return out == "" ? wire_slice(text, path) : "{\"" k "\":" out "}"
  }
  wire_pairs(text, path, keys)
  if (P_count == 0) return wire_slice(text, path)
  children(path, text); out = ""
  for (i = 1; i <= M_count; i++) {
    n = 0
    for (k = 1; k <= P_count; k++) if (P_from[k] == M_key[i]) n = k
    if (!n) out = out "," M_raw[i]
    else out = out ",\"" P_to[n] "\":" (P_list[n] ? P_text[n] : wire_slice(text, path "." M_key[i]))
  }
  return "{" substr(out, 2) "}"
}

# From merge.awk: the new canonical value of what a rewrite replaces goes into the native payload.
function wire_rewrite(value,    text, p) {
  text = slurp(E_run ".native")
  if (!json_parse(text)) return
  p = wire_path(F_rewrites)
  if (p == "") return
  if (F_rewrites == "tool_input") value = wire_native_input(value, text, p, F_input[ENVIRON["AH_NATIVE_TOOL"]])
  json_parse(text)
  printf "%s%s%s", substr(text, 1, JB[p] - 1), value, substr(text, JE[p] + 1) > (E_run ".native")
  if (close(E_run ".native") != 0) unkept = 1
}

# What a reply says: the native payload's own, full.
function wire_input(    text) {
  text = slurp(E_run ".native")
  return json_parse(text) ? wire_slice(text, wire_path(F_rewrites)) : ""
}

# O_ remembers what a list was made of: raw elements and their lines.
function wire_native_input(value, text, path, keys,    i, k, n, a, from, to, list, out, had, nk, key, val, has, slot) {
  if (keys == "") return value
  split("", O_raw)
  if (JT[path] != "o") {
    wire_remember(text, path, 1)
    k = wire_whole(keys); members(value)
    if (k == "" || M_count != 1 || M_key[1] != k) return value
    return wire_listed(wire_slice(value, k), 1)
  }
  wire_pairs(text, path, keys)
  for (k = 1; k <= P_count; k++) if (P_list[k]) wire_remember(text, path "." P_from[k], k)
  children(path, text)
  for (i = 1; i <= M_count; i++) had[M_key[i]] = 1
  members(value)
  if (JT[""] != "o") return value
  nk = M_count
  for (i = 1; i <= nk; i++) { key[i] = M_key[i]; has[M_key[i]] = 1; val[i] = M_raw[i] }
  n = split(keys, a, ","); out = ""
  for (i = 1; i <= nk; i++) {
    from = ""; list = slot = 0
    for (k = 1; k <= P_count; k++) if (P_to[k] == key[i]) { slot = k; from = P_from[k]; list = P_list[k]; break }
    if (!slot && !(key[i] in had)) { from = wire_added(key[i], n, a, had, has); list = sub(/\[\]$/, "", from) }
    if (from == "") { out = out "," val[i]; continue }
    to = wire_slice(value, key[i])
    out = out ",\"" from "\":" (list ? wire_listed(to, slot) : to)
  }
  return "{" substr(out, 2) "}"
}

function wire_remember(text, p, slot,    i) {
  O_raw[slot] = wire_slice(text, p); O_text[slot] = wire_joined(text, p)
  O_size[slot] = JT[p] == "a" ? JN[p] : -1
  for (i = 0; i < O_size[slot]; i++) { O_item[slot, i] = wire_slice(text, p "." i); O_line[slot, i] = wire_words(text, p "." i) }
}

# The native key of a canonical one that the hook brought along.
function wire_added(name, n, a, had, has,    i, k, from, plain) {
  for (i = 1; i <= n; i++) {
    k = index(a[i], "="); from = plain = substr(a[i], 1, k - 1); sub(/\[\]$/, "", plain)
    if (plain != "" && substr(a[i], k + 1) == name && !(plain in had) && !(plain in has)) return from
  }
  return ""
}

# A text as the list that it came from: unchanged the same list; with as many lines as there were
# elements one element per line; otherwise one element, which for commands is a script.
function wire_listed(value, slot,    n, i, a, out, lines, line) {
  if (substr(value, 1, 1) != "\"") return value
  if (!slot) return "[" value "]"
  if (O_text[slot] == value) return O_raw[slot]
  if (O_size[slot] < 0) return value
  n = split(substr(value, 2, length(value) - 2), a, /\\/); lines = 1; line[1] = a[1]
  for (i = 2; i <= n; i++) {
    if (a[i] == "") { i++; line[lines] = line[lines] "\\\\" a[i] }
    else if (substr(a[i], 1, 1) == "n") line[++lines] = substr(a[i], 2)
    else line[lines] = line[lines] "\\" a[i]
  }
  if (lines != O_size[slot]) return "[" value "]"
  out = ""
  for (i = 1; i <= lines; i++) out = out "," (line[i] == O_line[slot, i - 1] ? O_item[slot, i - 1] : "\"" line[i] "\"")
  return "[" substr(out, 2) "]"
}
