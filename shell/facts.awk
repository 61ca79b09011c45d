# The facts of one harness at one event, as the build writes them from its adapter; and what the
# programs that read them have in common.

function facts_read(file,    line, a) {
  while ((getline line < file) > 0) {
    split(line, a, "\t")
    if (a[1] == "tool") { F_tool[a[2]] = a[3]; F_paths[a[2]] = a[4]; if (a[5] != "") F_patch[a[2]] = a[5]; if (a[6] != "") F_input[a[2]] = a[6] }
    else if (a[1] == "reply") { F_exit[a[2]] = a[3]; F_err[a[2]] = a[4]; F_out[a[2]] = a[5] }
    else if (a[1] == "budget") F_budget = a[2]
    else if (a[1] == "rewrites") F_rewrites = a[2]
    else if (a[1] == "blockable") F_blockable = a[2]
    else if (a[1] == "wire") { F_wire = 1; F_mcp_server = a[2]; F_mcp_tool = a[3] }
    else if (a[1] == "field") { F_order[++F_fields] = a[2]; F_field[a[2]] = a[3] }
    else if (a[1] == "turns") { F_turns = a[2]; F_into = a[3] }
    else if (a[1] == "ignore") { F_ignore = a[2]; F_any = a[3] == "*"; F_ignored = substr(a[3], 2); F_why = a[4] }
    else if (a[1] == "echoes") F_echoes = 1
  }
  close(file)
}

# Civil date of an epoch second, UTC (days counted from 0000-03-01).
function day_of(t,    z, era, doe, yoe, doy, mp, d, m, y) {
  z = int(t / 86400) + 719468; era = int(z / 146097); doe = z - era * 146097
  yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
  doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100)); mp = int((5 * doy + 2) / 153)
  d = doy - int((153 * mp + 2) / 5) + 1; m = mp < 10 ? mp + 3 : mp - 9; y = yoe + era * 400 + (m <= 2)
  return sprintf("%04d-%02d-%02d", y, m, d)
}

function clock_of(t) { t = t % 86400; return sprintf("%02d:%02d:%02d", int(t / 3600), int(t / 60) % 60, t % 60) }

# Hooks' output is read up to 1 MB; our own payload has no limit.
function slurp(file, limit,    line, text, n) {
  RS = "\001"
  while ((getline line < file) > 0) {
    text = (n++) ? text "\001" line : line
    if (limit && length(text) > limit) { text = substr(text, 1, limit); break }
  }
  close(file); RS = "\n"
  return text
}

# No tool call id: a hash of the payload's first 4096 and last 512 bytes and of its length (R16).
function event_hash(text,    n, i, h, g, s) {
  sub(/[ \t\r\n]+$/, "", text)
  n = length(text); s = n > 4608 ? substr(text, 1, 4096) substr(text, n - 511) : text
  for (i = 1; i < 256; i++) ord[i < 128 ? sprintf("%c", i) : json_byte(i)] = i
  h = n % 4294967291; g = 7; n = length(s)
  for (i = 1; i <= n; i++) {
    h = (h * 31 + ord[substr(s, i, 1)]) % 4294967291
    g = (g * 131 + ord[substr(s, i, 1)]) % 4294967279
  }
  # In halves: busybox awk prints no integer beyond 31 bits.
  return sprintf("h%04x%04x%04x%04x", int(h / 65536), h % 65536, int(g / 65536), g % 65536)
}
