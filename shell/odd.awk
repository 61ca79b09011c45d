# Deliveries that are not what they seem.

# Another harness that reads these settings too has sent it, or it is another event than its name
# says: dispatch.sh looks again.
function plan_other(    guest, lane) {
  if (!valid) return 0
  guest = plan_guest(ENVIRON["AH_GUESTS"])
  if (guest != "") lane = "guest"
  else if (F_turns != "" && plan_there(F_turns)) lane = "turn"
  else return 0
  keep_native()
  print "AH_LANE=" lane " AH_INTO=" quoted(F_into) " AH_GUEST=" quoted(guest)
  return 1
}

function plan_there(list,    n, i, a) {
  n = split(list, a, "|")
  for (i = 1; i <= n; i++) if ((a[i] in JT) && JT[a[i]] != "z" && JT[a[i]] != "") return 1
  return 0
}

# harness:member,member … whose variables are set; the first whose members the payload has.
function plan_guest(list,    n, i, k, m, a, b, part) {
  n = split(list, a, " ")
  for (i = 1; i <= n; i++) {
    split(a[i], part, ":"); m = split(part[2], b, ",")
    for (k = 1; k <= m; k++) if (!(b[k] in JT)) break
    if (k > m) return part[1]
  }
  return ""
}

# Delivered, but not what the event says: no hook is for it.
function plan_ignore(    file, line, said) {
  if (ENVIRON["AH_TWICE"] != "") ignored = "delivered twice: " ENVIRON["AH_HARNESS"] " reads the settings of " ENVIRON["AH_TWICE"] " and has an entry of its own"
  else if (F_ignore != "" && plan_there(F_ignore) && (F_any || field(F_ignore) == F_ignored)) ignored = F_why
  else if (F_echoes && field("prompt") != "") {
    file = ENVIRON["AH_STATE"] "/" safe(session) ".echo"
    said = field("prompt"); gsub(/^[ \t\r\n]+|[ \t\r\n]+$/, "", said)
    if ((getline line < file) > 0 && line == json_quote(json_wellformed(said))) {
      ignored = "not the user's words: the reason of a Stop block, sent as a prompt"
      close(file); printf "" > file
    }
    close(file)
  }
  if (ignored != "") notes = notes "," json_quote(ignored)
}
