# A rewritten input in the harness's own words: after wire.awk, for merge.awk.

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
function wire_native_input(value, text, path, keys,    inner) {
  if (JT[path] == "s" && wire_whole(keys) == "") {
    inner = wire_unwrapped(path, keys)
    if (inner != "") return wire_native_input(value, inner, "i", keys)
    json_parse(text)
  }
  return keys == "" ? value : wire_native_keys(value, text, path, keys)
}

function wire_native_keys(value, text, path, keys,    i, k, n, a, to, out, had, nk, key, val, has, slot, whole) {
  split("", O_raw)
  if (JT[path] != "o") {
    whole = wire_whole(keys)
    wire_remember(text, path, 1, K_member)
    members(value)
    if (whole == "" || M_count != 1 || M_key[1] != whole) return value
    return wire_listed(wire_slice(value, whole), 1, O_member[1])
  }
  wire_pairs(text, path, keys)
  for (k = 1; k <= P_count; k++) wire_remember(text, path "." P_from[k], k, P_member[k])
  children(path, text)
  for (i = 1; i <= M_count; i++) had[M_key[i]] = 1
  members(value)
  if (JT[""] != "o") return value
  nk = M_count
  for (i = 1; i <= nk; i++) { key[i] = M_key[i]; has[M_key[i]] = 1; val[i] = M_raw[i] }
  n = split(keys, a, ","); out = ""
  for (i = 1; i <= nk; i++) {
    slot = 0; to = wire_slice(value, key[i])
    for (k = P_count; k > 0; k--) if (P_to[k] == key[i]) slot = k
    if (slot) {
      if (P_list[slot]) to = wire_listed(to, slot, P_member[slot])
      else if (P_more[slot] != "" && to == P_text[slot]) to = O_raw[slot]
      out = out ",\"" P_from[slot] "\":" to
    } else if (!(key[i] in had) && wire_added(key[i], n, a, had, has))
      out = out ",\"" K_from "\":" (K_list ? wire_listed(to, 0, K_member) : to)
    else out = out "," (wire_spent(value, key[i], has) ? json_quote(key[i]) ":[]" : val[i])
  }
  return "{" substr(out, 2) "}"
}

# Words that went into a text which is now another one.
function wire_spent(value, name, has,    k) {
  for (k = 1; k <= P_count; k++)
    if (P_more[k] == name && name != "" && (P_to[k] in has)) return wire_slice(value, P_to[k]) != P_text[k]
  return 0
}

function wire_remember(text, p, slot, member,    i, q) {
  O_raw[slot] = wire_slice(text, p); O_text[slot] = wire_joined(text, p, member); O_member[slot] = member
  O_size[slot] = JT[p] == "a" ? JN[p] : -1
  for (i = 0; i < O_size[slot]; i++) {
    O_item[slot, i] = wire_slice(text, p "." i); O_line[slot, i] = wire_words(text, p "." i, member)
    O_head[slot, i] = O_tail[slot, i] = ""
    q = index(member, "+") || JT[p "." i] != "o" ? "" : wire_member(p "." i, member)
    if (q == "") continue
    O_head[slot, i] = substr(text, JB[p "." i], JB[q] - JB[p "." i]); O_tail[slot, i] = substr(text, JE[q] + 1, JE[p "." i] - JE[q])
  }
}

# The native key of a canonical one that the hook brought along, in K_.
function wire_added(name, n, a, had, has,    i) {
  for (i = 1; i <= n; i++) {
    wire_entry(a[i])
    if (K_from != "" && K_to == name && !(K_from in had) && !(K_from in has)) return 1
  }
  return 0
}

# A text as the list that it came from: unchanged the same list; with as many lines as there were
# elements one element per line; otherwise a new list: one element, which for commands is a script;
# objects that are known by one member, one per line.
function wire_listed(value, slot, member,    n, i, a, out, lines, line) {
  if (substr(value, 1, 1) != "\"") return value
  if (slot && O_text[slot] == value) return O_raw[slot]
  if (slot && O_size[slot] < 0) return value
  n = split(substr(value, 2, length(value) - 2), a, /\\/); lines = 1; line[1] = a[1]
  for (i = 2; i <= n; i++) {
    if (a[i] == "") { i++; line[lines] = line[lines] "\\\\" a[i] }
    else if (substr(a[i], 1, 1) == "n") line[++lines] = substr(a[i], 2)
    else line[lines] = line[lines] "\\" a[i]
  }
  out = ""
  if (!slot || lines != O_size[slot]) {
    if (member == "" || index(member, "+")) return "[" value "]"
    sub(/\/.*/, "", member)
    for (i = 1; i <= lines; i++) out = out ",{\"" member "\":\"" line[i] "\"}"
  } else for (i = 1; i <= lines; i++)
    out = out "," (line[i] == O_line[slot, i - 1] ? O_item[slot, i - 1] : O_head[slot, i - 1] "\"" line[i] "\"" O_tail[slot, i - 1])
  return "[" substr(out, 2) "]"
}
