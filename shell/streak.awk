# Failures in a row within one session (the failure budget). The file is only ever appended to: a
# line is content hash, hook, and 1 (failed), 0 (went well again) or s (the user was told that it is
# suspended). Lines under another content hash count for nothing: an edit lifts every suspension.
# src/dispatch/streaks.ts says the same in TypeScript.

function streaks_read(file, hash,    line, a) {
  streaks_known = 1
  while ((getline line < file) > 0) {
    if (split(line, a, "\t") != 3 || a[1] != hash) continue
    if (a[3] == "1") streak[a[2]]++
    else if (a[3] == "0") { delete streak[a[2]]; delete streak_told[a[2]] }
    else if (a[3] == "s") streak_told[a[2]] = 1
  }
  close(file)
}

# Guards that fail closed and managed hooks are never suspended: that would open the door.
function streaks_count(key) { return meta[9] + 0 > 0 && key != "" && col[9] != "block" && col[7] != "managed" }
