# Matches a string against a compiled pattern: an automaton file, its format told in
# src/compile/regex-dfa.ts. Run under LC_ALL=C, so that a string is its bytes. POSIX awk only.

# 1 when the pattern occurs in s, 0 when not, -1 when nothing can be said: the file is missing,
# damaged, or this awk does not read bytes.
function dfa_match(file, s,    opened) {
  if (!(file in dfa_id)) {
    if (!dfa_open(file)) return -1
    opened = 1
  }
  # Most strings end here, with two lines read and no table built.
  if (dfa_literal[file] != "" && !index(s, dfa_literal[file])) {
    if (opened) close(file)
    return 0
  }
  if (!(dfa_id[file] in dfa_map) && !dfa_load(file, opened)) return -1
  return dfa_walk(dfa_id[file], s)
}

# Reads the first two lines and leaves the file open.
function dfa_open(file,    line, head) {
  if ((getline line < file) <= 0) return 0
  if (split(line, head, " ") != 4 || head[1] != "anyhook-dfa" || head[2] != "1") return dfa_close(file)
  if ((getline line < file) <= 0) return dfa_close(file)
  dfa_states[file] = head[3] + 0
  dfa_classes[file] = head[4] + 0
  dfa_literal[file] = dfa_unescape(line)
  dfa_id[file] = ++dfa_count
  return 1
}

function dfa_close(file) {
  close(file)
  return 0
}

function dfa_unescape(text,    out, at, c) {
  out = ""
  while ((at = index(text, "\\")) > 0) {
    c = substr(text, at + 1, 1)
    out = out substr(text, 1, at - 1) (c == "n" ? "\n" : c == "t" ? "\t" : c == "r" ? "\r" : c)
    text = substr(text, at + 2)
  }
  return out text
}

# Reads the class map and the rows; opened tells that the first two lines have just been read.
function dfa_load(file, opened,    id, map, line, i) {
  if (!opened && ((getline line < file) <= 0 || (getline line < file) <= 0)) return dfa_close(file)
  if ((getline map < file) <= 0 || length(map) != 512) return dfa_close(file)
  id = dfa_id[file]
  for (i = 1; i <= dfa_states[file]; i++) {
    if ((getline line < file) <= 0 || length(line) != 1 + 4 * dfa_classes[file]) return dfa_close(file)
    dfa_row[id, sprintf("%04d", i)] = line
  }
  close(file)
  dfa_map[id] = map
  return 1
}

# Short pieces of s, because some awks measure the whole string for every substr.
function dfa_walk(id, s,    map, state, row, cell, piece, c, i, n, from, end) {
  if (!dfa_ready) dfa_prepare()
  map = dfa_map[id]
  state = "0001"
  row = dfa_row[id, state]
  if (substr(row, 1, 1) == "A") return 1
  end = length(s)
  for (from = 1; from <= end; from += 200) {
    piece = substr(s, from, 200)
    n = length(piece)
    for (i = 1; i <= n; i++) {
      c = substr(piece, i, 1)
      if (!(c in dfa_ord)) return -1
      cell = substr(row, 2 + 4 * substr(map, 1 + 2 * dfa_ord[c], 2), 4)
      if (cell == state) continue
      if (cell == "0000") return 0
      state = cell
      row = dfa_row[id, state]
      if (substr(row, 1, 1) == "A") return 1
    }
  }
  return substr(row, 1, 1) == "E"
}

function dfa_prepare(    i) {
  for (i = 0; i < 256; i++) dfa_ord[sprintf("%c", i)] = i
  dfa_ready = 1
}
