# The facts of one harness at one event, as the build writes them from its adapter.

function facts_read(file,    line, a) {
  while ((getline line < file) > 0) {
    split(line, a, "\t")
    if (a[1] == "tool") { F_tool[a[2]] = a[3]; F_paths[a[2]] = a[4]; if (a[5] != "") F_patch[a[2]] = a[5] }
    else if (a[1] == "reply") { F_exit[a[2]] = a[3]; F_err[a[2]] = a[4]; F_out[a[2]] = a[5] }
    else if (a[1] == "budget") F_budget = a[2]
    else if (a[1] == "rewrites") F_rewrites = a[2]
    else if (a[1] == "blockable") F_blockable = a[2]
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
