# The canonical payload from the native one, by slices of its text; wire-back.awk is the way back.
# src/dispatch/canonical.ts and input-keys.ts say the same in TypeScript.

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

function wire_text(p) { return (p in JT) && JT[p] == "s" ? json_wellformed(json_text(JV[p])) : "" }

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
  if (F_mcp_server == "" || native_tool == "") return
  server = wire_text(F_mcp_server); tool = wire_text(F_mcp_tool)
  if (server != "" && tool != "") wire_name = "mcp__" server "__" tool
}

function wire_value(name, raw_value, input) {
  if (name == "tool_input" && input != "") return input
  return name == "tool_name" && wire_name != native_tool ? json_quote(wire_name) : raw_value
}

# No id of a tool call: the call, which Pre and Post have in common, and the whole payload.
function wire_key(    p, key) {
  if (!json_parse(native)) { split("", JT); return "" }
  p = wire_path("tool_name")
  if (p == "" || JT[p] != "s") key = event_hash(native)
  else key = event_hash(wire_slice(native, p) wire_slice(native, wire_path("tool_input"))) "-" event_hash(native)
  json_parse(payload)
  return key
}

# One entry of the table: K_from, K_to, K_list, K_member (the one that counts in a list's objects),
# K_more (the list of further words).
function wire_entry(entry,    k) {
  k = index(entry, "="); K_from = substr(entry, 1, k - 1); K_to = substr(entry, k + 1)
  K_list = 0; K_member = K_more = ""
  if (k = index(K_from, "[]")) { K_list = 1; K_member = substr(K_from, k + 3); K_from = substr(K_from, 1, k - 1) }
  if (k = index(K_from, "+")) { K_list = 0; K_more = substr(K_from, k + 1); K_from = substr(K_from, 1, k - 1) }
}

# The renames that hold for the members of the object at `path`: P_from, P_to, P_list, P_member,
# P_more, P_text (the canonical value), P_count. Each canonical key once, for the first native one
# that has a text, whatever else is there under the canonical name: that is kept aside. What is no
# text is renamed only where the canonical name is free.
function wire_pairs(text, path, keys,    n, i, a, k, line, pass, taken, froms) {
  P_count = 0
  n = split(keys, a, ",")
  for (pass = 0; pass < 2; pass++) for (i = 1; i <= n; i++) {
    wire_entry(a[i])
    if (K_from == "" || !((path "." K_from) in JT) || (K_to in taken)) continue
    line = wire_pair_text(text, path)
    if (pass == 0 && (substr(line, 1, 1) != "\"" || line == "\"\"")) continue
    if (pass == 1 && (line == "" || (K_to != K_from && ((path "." K_to) in JT)))) continue
    taken[K_to] = froms[K_from] = 1
    wire_pair(K_from, K_to, K_list, K_member, K_more, line)
  }
  n = P_count
  for (i = 1; i <= n; i++) if (P_from[i] != P_to[i] && ((path "." P_to[i]) in JT) && !(P_to[i] in froms)) {
    k = "native_" P_to[i]
    while ((path "." k) in JT) k = "native_" k
    wire_pair(P_to[i], k, 0, "", "", wire_slice(text, path "." P_to[i]))
  }
}

function wire_pair(from, to, list, member, more, line) {
  P_count++
  P_from[P_count] = from; P_to[P_count] = to; P_list[P_count] = list
  P_member[P_count] = member; P_more[P_count] = more; P_text[P_count] = line
}

# The canonical value of the entry in K_.
function wire_pair_text(text, path,    p, words) {
  p = path "." K_from
  if (K_list) return wire_joined(text, p, K_member)
  if (K_more == "") return wire_slice(text, p)
  words = ((path "." K_more) in JT) && JT[path "." K_more] == "a" ? wire_words(text, path "." K_more, "") : ""
  return JT[p] == "s" && words != "" ? "\"" JV[p] " " words "\"" : ""
}

# The canonical key of an input that is no object itself, and K_member.
function wire_whole(keys,    n, i, a) {
  n = split(keys, a, ",")
  for (i = 1; i <= n; i++) if (substr(a[i], 1, 2) == "[]") { wire_entry(a[i]); return K_to }
  return ""
}

# One text, a line per element; a text stays as it is, and what has no texts is nothing.
function wire_joined(text, p, member,    i, out, line, any) {
  if (JT[p] == "s") return wire_slice(text, p)
  if (JT[p] != "a") { out = JT[p] == "o" ? wire_words(text, p, member) : ""; return out == "" ? "" : "\"" out "\"" }
  out = ""; any = 0
  for (i = 0; i < JN[p]; i++) {
    line = wire_words(text, p "." i, member)
    if (line != "") any = 1
    out = out (i ? "\\n" : "") line
  }
  return any ? "\"" out "\"" : ""
}

# A text; of an object the text of the one member that counts, with the words of the list after +;
# else the texts of an object or a list, and of the lists in an object, with spaces; raw, without
# quotes.
function wire_words(text, p, member,    i, out, q, list) {
  if (JT[p] == "s") return JV[p]
  if (JT[p] == "a") return substr(wire_list_words(p), 2)
  if (JT[p] != "o") return ""
  list = ""
  if (i = index(member, "+")) { list = p "." substr(member, i + 1); member = substr(member, 1, i - 1) }
  q = wire_member(p, member)
  if (q != "") return JV[q] (list != "" && (list in JT) && JT[list] == "a" ? wire_list_words(list) : "")
  children(p, text); out = ""
  for (i = 1; i <= M_count; i++) {
    q = p "." M_key[i]
    if (JT[q] == "s") out = out " " JV[q]
    else if (JT[q] == "a") out = out wire_list_words(q)
  }
  return substr(out, 2)
}

# The first of the members, with / between their names, that has a text.
function wire_member(p, member,    n, i, a, q) {
  n = split(member, a, "/")
  for (i = 1; i <= n; i++) { q = p "." a[i]; if ((q in JT) && JT[q] == "s" && JV[q] != "") return q }
  return ""
}

function wire_list_words(p,    k, out) {
  out = ""
  for (k = 0; k < JN[p]; k++) if (JT[p "." k] == "s") out = out " " JV[p "." k]
  return out
}

# Some harnesses send the object as a text that holds it, and take the object itself back:
# {"i":object}, or nothing. The tables are
# those of it afterwards, and must be read again in any case.
function wire_unwrapped(path, keys,    inner) {
  if (JT[path] != "s" || wire_whole(keys) != "") return ""
  inner = json_text(JV[path])
  if (inner !~ /^[ \t\r\n]*[{]/) return ""
  sub(/^[ \t\r\n]+/, "", inner); sub(/[ \t\r\n]+$/, "", inner)
  inner = "{\"i\":" json_wellformed(inner) "}"
  if (json_parse(inner) && JT["i"] == "o" && JB["i"] == 6 && JE["i"] == length(inner) - 1) return inner
  # Too deep or odd for us: Node decides.
  if (json_gave_up) gave_up = needs_node = 1
  return ""
}

function wire_canonical_input(text, path, keys,    i, k, out, n, inner) {
  if (path == "") return ""
  if (JT[path] == "s" && wire_whole(keys) == "") {
    inner = wire_unwrapped(path, keys)
    out = inner == "" ? "" : wire_canonical_input(inner, "i", keys)
    json_parse(text)
    if (out != "") return out
  }
  if (keys == "") return wire_slice(text, path)
  if (JT[path] != "o") {
    k = wire_whole(keys); out = k == "" ? "" : wire_joined(text, path, K_member)
    return out == "" ? wire_slice(text, path) : "{\"" k "\":" out "}"
  }
  wire_pairs(text, path, keys)
  if (P_count == 0) return wire_slice(text, path)
  children(path, text); out = ""
  for (i = 1; i <= M_count; i++) {
    n = 0
    for (k = P_count; k > 0; k--) if (P_from[k] == M_key[i]) n = k
    out = out "," (n ? "\"" P_to[n] "\":" P_text[n] : M_raw[i])
  }
  return "{" substr(out, 2) "}"
}
