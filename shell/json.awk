# Exact JSON reading and writing in POSIX awk, on bytes (LC_ALL=C). No grep for '"decision"':
# a text that is not one valid JSON value is refused, as JSON.parse would.
#
# json_parse(text) fills, for every value, keyed by dotted path ("" is the whole):
#   JT type (o a s n b z), JV raw scalar (strings without their quotes), JB/JE first/last byte.
# More than 200 levels or 64 repeated keys: json_gave_up is set, and the answer is no. With
# json_only set neither is a limit, but the tables are right for the path json_asked alone.
# A dot inside a key is kept apart as \034 and an empty key is \035, so that paths stay unambiguous.

function json_parse(text,    n, i, part, str, pos, start, len) {
  split("", JT); split("", JV); split("", JB); split("", JE); split("", JN)
  json_depth = 0; json_want = "v"; json_bad = 0; json_path[0] = ""; json_twins = 0; json_gave_up = 0
  # A regular expression, because BSD awk splits at newlines too when given one character.
  n = split(text, json_parts, /"/)
  if (n == 0) return 0
  JSON_PLAIN["n"] = "\n"; JSON_PLAIN["t"] = "\t"; JSON_PLAIN["r"] = "\r"
  JSON_PLAIN["b"] = "\b"; JSON_PLAIN["f"] = "\f"
  pos = 1
  for (i = 1; i <= n; i++) {
    part = json_parts[i]
    json_structure(part, pos)
    if (json_bad) return 0
    pos += length(part)
    if (i == n) break
    # a string starts at pos (the quote); a quote after an odd run of backslashes is inside it
    start = pos; len = -1
    do {
      i++
      if (i >= n) return 0
      len += length(json_parts[i]) + 1
    } while (json_open_escape(json_parts[i]))
    pos = start + len + 2
    str = substr(text, start + 1, len)
    json_string(str, start, pos - 1)
    if (json_bad) return 0
  }
  return json_want == "done"
}

function json_open_escape(part,    k) {
  if (substr(part, length(part)) != "\\") return 0
  k = length(part)
  while (k > 0 && substr(part, k, 1) == "\\") k--
  return (length(part) - k) % 2
}

function json_string(raw, from, to) {
  if (raw ~ /[\001-\037]/) { json_bad = 1; return }
  if (index(raw, "\\") && !json_escapes_ok(raw)) { json_bad = 1; return }
  if (json_want == "v" || json_want == "v]") { json_value("s", raw, from, to); return }
  if (json_want == "k" || json_want == "k}") {
    json_key = raw
    if (index(raw, "\\")) json_key = json_text(raw)
    if (index(json_key, ".")) gsub(/\./, "\034", json_key)
    else if (json_key == "") json_key = "\035"
    json_want = ":"
    return
  }
  json_bad = 1
}

# Split at backslashes: an empty piece is an escaped backslash and makes the next one plain text.
function json_escapes_ok(raw,    n, i, a) {
  n = split(raw, a, /\\/)
  for (i = 2; i <= n; i++) {
    if (a[i] == "") { if (i == n) return 0; i++ }
    else if (a[i] !~ /^["\/bfnrt]/ && a[i] !~ /^u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]/) return 0
  }
  return 1
}

# Where the next value goes, and forgetting an earlier member of the same name (last one wins).
function json_slot(    p, k) {
  if (json_depth == 0) return ""
  if (json_depth > 200) return "\036"
  p = json_path[json_depth]
  if (json_kind[json_depth] == "a") k = JN[p]++
  else k = json_key
  p = (p == "") ? k : p "." k
  if ((p in JT) && json_only) { if (index(json_asked, p ".") == 1) delete JT[json_asked] }
  else if (p in JT) { if (++json_twins > 64) json_gave_up = json_bad = 1; else json_forget(p) }
  return p
}

function json_forget(p,    q, m) {
  m = length(p) + 1
  for (q in JT) if (q == p || substr(q, 1, m) == p ".") { delete JT[q]; delete JV[q]; delete JN[q] }
}

function json_value(type, raw, from, to,    p) {
  p = json_slot()
  JT[p] = type; JV[p] = raw; JB[p] = from; JE[p] = to
  json_want = json_depth ? "," : "done"
}

function json_structure(part, pos,    i, c, len, word) {
  len = length(part)
  for (i = 1; i <= len; i++) {
    c = substr(part, i, 1)
    if (c == ":") { if (json_want != ":") { json_bad = 1; return }; json_want = "v" }
    else if (c == ",") {
      if (json_want != ",") { json_bad = 1; return }
      json_want = json_kind[json_depth] == "o" ? "k" : "v"
    }
    else if (c == " " || c == "\n" || c == "\t" || c == "\r") continue
    else if (c == "{" || c == "[") json_enter(c == "{" ? "o" : "a", pos + i - 1)
    else if (c == "}" || c == "]") json_leave(c == "}" ? "o" : "a", pos + i - 1)
    else {
      # Looked at through a window: to copy the rest for every number would be quadratic.
      word = substr(part, i, 400)
      if (!match(word, /^[-+.0-9A-Za-z]+/)) { json_bad = 1; return }
      word = substr(word, 1, RLENGTH)
      json_word(word, pos + i - 1)
      i += length(word) - 1
    }
    if (json_bad) return
  }
}

function json_enter(kind, pos,    p) {
  if (json_want != "v" && json_want != "v]") { json_bad = 1; return }
  p = json_slot()
  JT[p] = kind; JB[p] = pos; JV[p] = ""; JN[p] = 0
  if (++json_depth > 200 && !json_only) { json_gave_up = json_bad = 1; return }
  json_kind[json_depth] = kind; json_path[json_depth] = p
  json_want = kind == "o" ? "k}" : "v]"
}

function json_leave(kind, pos) {
  if (json_depth == 0 || json_kind[json_depth] != kind) { json_bad = 1; return }
  if (json_want != "," && json_want != (kind == "o" ? "k}" : "v]")) { json_bad = 1; return }
  JE[json_path[json_depth]] = pos
  json_depth--
  json_want = json_depth ? "," : "done"
}

function json_word(word, pos,    type) {
  if (json_want != "v" && json_want != "v]") { json_bad = 1; return }
  if (word == "true" || word == "false") type = "b"
  else if (word == "null") type = "z"
  else if (word ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/) type = "n"
  else { json_bad = 1; return }
  json_value(type, word, pos, pos + length(word) - 1)
}

# A number that is written as JSON.stringify would write it.
function json_plain(s) {
  if (length(s) > 15 || s == "-0") return 0
  return s ~ /^-?(0|[1-9][0-9]*)$/ || (s ~ /^-?(0|[1-9][0-9]*)\.[0-9]*[1-9]$/ && s !~ /^-?0\.000000/)
}

# Raw string content -> bytes. Surrogate pairs are joined, a lone half becomes U+FFFD.
function json_text(raw,    n, i, a, c, out, code) {
  if (!index(raw, "\\")) return raw
  n = split(raw, a, /\\/); out = a[1]
  for (i = 2; i <= n; i++) {
    if (a[i] == "") { i++; out = out "\\" a[i]; continue }
    c = substr(a[i], 1, 1)
    if (c == "u") {
      code = json_hex(substr(a[i], 2, 4)); a[i] = substr(a[i], 6)
      if (code >= 55296 && code <= 56319 && a[i] == "" && a[i + 1] ~ /^u[dD][c-fC-F]/) {
        i++
        code = 65536 + (code - 55296) * 1024 + (json_hex(substr(a[i], 2, 4)) - 56320)
        a[i] = substr(a[i], 6)
      } else if (code >= 55296 && code <= 57343) code = 65533
      out = out json_utf8(code) a[i]
    } else if (c in JSON_PLAIN) out = out JSON_PLAIN[c] substr(a[i], 2)
    else out = out a[i]
  }
  return out
}

function json_hex(s,    i, n) {
  n = 0; s = tolower(s)
  for (i = 1; i <= 4; i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
  return n
}

function json_utf8(n) {
  if (n < 128) return n == 0 ? JSON_NUL : sprintf("%c", n)
  if (n < 2048) return json_byte(192 + int(n / 64)) json_byte(128 + n % 64)
  if (n < 65536)
    return json_byte(224 + int(n / 4096)) json_byte(128 + int(n / 64) % 64) json_byte(128 + n % 64)
  return json_byte(240 + int(n / 262144)) json_byte(128 + int(n / 4096) % 64) \
    json_byte(128 + int(n / 64) % 64) json_byte(128 + n % 64)
}

# sprintf("%c") of 128 and more writes UTF-8 in some awks, so bytes come from a table.
function json_byte(n) {
  if (JSON_HIGH == "")
    JSON_HIGH = "\200\201\202\203\204\205\206\207\210\211\212\213\214\215\216\217" \
      "\220\221\222\223\224\225\226\227\230\231\232\233\234\235\236\237" \
      "\240\241\242\243\244\245\246\247\250\251\252\253\254\255\256\257" \
      "\260\261\262\263\264\265\266\267\270\271\272\273\274\275\276\277" \
      "\300\301\302\303\304\305\306\307\310\311\312\313\314\315\316\317" \
      "\320\321\322\323\324\325\326\327\330\331\332\333\334\335\336\337" \
      "\340\341\342\343\344\345\346\347\350\351\352\353\354\355\356\357" \
      "\360\361\362\363\364\365\366\367\370\371\372\373\374\375\376\377"
  return substr(JSON_HIGH, n - 127, 1)
}

# Bytes -> JSON string, as JSON.stringify writes it.
function json_quote(s,    i, c, out) {
  gsub(/[\\"]/, "\\\\&", s)
  if (s ~ /[\001-\037]/) {
    gsub(/\n/, "\\n", s); gsub(/\t/, "\\t", s); gsub(/\r/, "\\r", s)
    gsub(/\010/, "\\b", s); gsub(/\014/, "\\f", s)
    if (s ~ /[\001-\037]/)
      for (i = 1; i < 32; i++) {
        c = sprintf("%c", i)
        if (index(s, c)) { out = sprintf("\\u%04x", i); s = json_swap(s, c, out) }
      }
  }
  return "\"" s "\""
}

function json_swap(s, from, to,    n, i, a, out) {
  n = split(s, a, from); out = a[1]
  for (i = 2; i <= n; i++) out = out to a[i]
  return out
}

# What was not valid UTF-8 becomes U+FFFD, one per maximal part, as every decoder does.
function json_wellformed(s,    out) {
  if (s !~ /[\200-\377]/) return s
  out = ""
  while (s != "") {
    if (match(s, /^([\001-\177]|[\302-\337][\200-\277]|\340[\240-\277][\200-\277]|[\341-\354\356\357][\200-\277][\200-\277]|\355[\200-\237][\200-\277]|\360[\220-\277][\200-\277][\200-\277]|[\361-\363][\200-\277][\200-\277][\200-\277]|\364[\200-\217][\200-\277][\200-\277])+/)) {
      out = out substr(s, 1, RLENGTH); s = substr(s, RLENGTH + 1)
      continue
    }
    match(s, /^(\340[\240-\277]|[\341-\354\356\357][\200-\277]|\355[\200-\237]|\360[\220-\277][\200-\277]?|[\361-\363][\200-\277][\200-\277]?|\364[\200-\217][\200-\277]?)/)
    out = out "\357\277\275"
    s = substr(s, RLENGTH > 0 ? RLENGTH + 1 : 2)
  }
  return out
}
