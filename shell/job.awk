# A detached hook as a job for the queue: shell text that async.sh reads, complete in itself, so that
# neither a later compile nor a restart takes anything from it. src/dispatch/queue.ts writes the same.
# Of the environment only what names the event goes to disk, with PATH and HOME: secrets do not.

function job_call(row, argv) {
  return "AH_JOB_NAME=" pad(now, 10) "-" pad(ENVIRON["AH_BEGAN"], 13) "-" pad(row, 4) " AH_JOB=" quoted(job_text(argv)) "\n"
}

# First what async.sh reads even of a damaged job: one line each, whatever the payload holds.
function job_text(argv) {
  return "AH_HARNESS=" ENVIRON["AH_HARNESS"] " AH_EVENT=" E_event " AH_DEPTH=" E_depth " AH_STOP_KEY=" quoted(safe(session)) "\n" \
    "AH_HEAD=" quoted(ledger_head()) "\nah_meta=" quoted(meta_line) "\nah_line=" quoted(row_line) "\n" \
    "AH_ROOT=" quoted(E_root) " AH_CWD=" quoted(ENVIRON["PWD"]) " AH_HASH=" quoted(ENVIRON["AH_HASH"]) "\n" \
    "AH_ID=" quoted(id) " AH_TOOL=" quoted(substr(tool, 1, 1000)) " AH_PATHS=" quoted(joined) " AH_PATHS_CUT=" cut_paths "\n" \
    "ah_kind=" col[6] " ah_name=" quoted(col[5]) " ah_limit=" col[8] " ah_flags=" col[11] "\n" \
    variable("PATH") variable("HOME") variable("CLAUDE_PROJECT_DIR") plan_arguments(2) "set -- " argv "\nah_whole=1\n"
}

function variable(name) { return ENVIRON[name] == "" ? "" : name "=" quoted(ENVIRON[name]) "\n" }

function pad(s, n) { return substr("0000000000000", 1, n - length(s "")) s }
