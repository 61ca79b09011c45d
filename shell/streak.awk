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

# Guards and managed hooks are never suspended: that would open the door, and whoever is behind it may
# provoke failures. A guard blocks when it fails, or may block what has not happened yet.
function streaks_count(key) {
  return meta[9] + 0 > 0 && key != "" && col[9] != "block" && col[7] != "managed" && \
    !(col[3] == "true" && E_event ~ /^(PreToolUse|PermissionRequest|UserPromptSubmit)$/)
}

# Notes how a hook did. We ourselves failing (AH_UNCOUNTED) is no fault of the hook.
function count_streak(failed) {
  if (!streaks_count(ENVIRON["AH_STOP_KEY"]) || ENVIRON["AH_UNCOUNTED"] != "") return
  if (!failed) { streaks_here(); if (!(col[5] in streak)) return }
  S_lines = S_lines ENVIRON["AH_HASH"] "\t" col[5] "\t" (failed ? 1 : 0) "\n"
}

function streaks_file() { return ENVIRON["AH_STATE"] "/" ENVIRON["AH_STOP_KEY"] ".fails" }
function streaks_here() { if (!streaks_known) streaks_read(streaks_file(), ENVIRON["AH_HASH"]) }
function streaks_note() { if (S_lines != "") { printf "%s", S_lines >> streaks_file(); close(streaks_file()) } }
