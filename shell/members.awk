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
    M_at[++M_count] = JB[p]; M_key[M_count] = substr(p, at + 1)
  }
  members_sort()
  for (i = 1; i <= M_count; i++) {
    t = M_key[i]; gsub(/\034/, ".", t); if (t == "\035") t = ""
    p = path M_key[i]
    M_raw[i] = json_quote(t) ":" substr(text, JB[p], JE[p] - JB[p] + 1)
  }
}

# By place, in ever smaller steps: an awk has no order of its own, and thousands of members must not hang.
function members_sort(    gap, i, k, at, key) {
  for (gap = int(M_count / 2); gap > 0; gap = int(gap / 2))
    for (i = gap + 1; i <= M_count; i++) {
      at = M_at[i]; key = M_key[i]
      for (k = i; k > gap && M_at[k - gap] > at; k -= gap) { M_at[k] = M_at[k - gap]; M_key[k] = M_key[k - gap] }
      M_at[k] = at; M_key[k] = key
    }
}
