# The members of an object, as raw text: for wire.awk and merge.awk, after json.awk.

# Top-level members of an object in the order of their text.
function members(text) {
  M_count = 0
  if (json_parse(text) && JT[""] == "o") children("", text)
}

# Members of the object at a path of the text that was parsed last: M_key (as in paths), M_raw.
function children(path, text,    p, i, t, at) {
  M_count = 0; path = path == "" ? "" : path "."; at = length(path)
  for (p in JT) if (p != "" && substr(p, 1, at) == path && length(p) > at && !index(substr(p, at + 1), ".")) {
    M_count++
    for (i = M_count; i > 1 && M_at[i - 1] > JB[p]; i--) { M_at[i] = M_at[i - 1]; M_key[i] = M_key[i - 1] }
    M_at[i] = JB[p]; M_key[i] = substr(p, at + 1)
  }
  for (i = 1; i <= M_count; i++) {
    t = M_key[i]; gsub(/\034/, ".", t); if (t == "\035") t = ""
    p = path M_key[i]
    M_raw[i] = json_quote(t) ":" substr(text, JB[p], JE[p] - JB[p] + 1)
  }
}
