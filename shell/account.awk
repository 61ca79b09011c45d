# What merge.awk notes and says beside the answers of the hooks that ran.

function passed_over(status, note) {
  note_hook(col[5], status, "null", "pass", "", note, 0)
  if (status != "skipped" || index(note, "suspended: ") != 1) return
  streaks_here()
  if (col[5] in streak_told) return
  S_lines = S_lines ENVIRON["AH_HASH"] "\t" col[5] "\ts\n"
  warn("Hook " col[5] " failed " meta[9] " times in a row and is suspended for this session (" unescape(col[16]) "). Any edit of the hooks lifts that.")
}

# The failure budget. We ourselves failing (AH_UNCOUNTED) is no fault of the hook.
function count_streak(failed) {
  if (!streaks_count(ENVIRON["AH_STOP_KEY"]) || ENVIRON["AH_UNCOUNTED"] != "") return
  if (!failed) { streaks_here(); if (!(col[5] in streak)) return }
  S_lines = S_lines ENVIRON["AH_HASH"] "\t" col[5] "\t" (failed ? 1 : 0) "\n"
}

function streaks_file() { return ENVIRON["AH_STATE"] "/" ENVIRON["AH_STOP_KEY"] ".fails" }
function streaks_here() { if (!streaks_known) streaks_read(streaks_file(), ENVIRON["AH_HASH"]) }
function streaks_note() { if (S_lines != "") { printf "%s", S_lines >> streaks_file(); close(streaks_file()) } }
