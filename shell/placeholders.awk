# What stands in braces in commands, filled with the payload: for plan.awk.
# src/dispatch/placeholders.ts and src/handlers/command.ts say the same.

# Values for the placeholders of a shell command: environment, never shell text.
function plan_arguments(row,    n, i, a, code) {
  if (col[17] == "-") return ""
  n = split(col[17], a, ","); code = "ah_env_" row "() {\n"
  for (i = 1; i <= n; i++)
    code = code "ANYHOOK_ARG_" i "=" quoted(placeholder(a[i])) "; export ANYHOOK_ARG_" i "\n"
  return code "}\n"
}

function placeholder(name,    text) {
  if (name == "file") text = path_count ? paths[1] : ""
  else if (name == "tool_name") text = tool
  else if (name == "args") text = raw("tool_input")
  else if (name == "result") text = JT["tool_response"] == "s" ? field("tool_response") : raw("tool_response")
  else text = (JT[name] == "o" || JT[name] == "a") ? raw(name) : field(name)
  return bounded(json_wellformed(text), 100000)
}

# No half character at the end.
function bounded(text, n) {
  if (length(text) > n) while (n > 0 && substr(text, n + 1, 1) ~ /[\200-\277]/) n--
  return substr(text, 1, n)
}

function raw(path) { return JT[path] != "" ? substr(payload, JB[path], JE[path] - JB[path] + 1) : "" }

function exec_words(list,    i, out, save_valid) {
  # The list is JSON too; parsing it overwrites the payload's tables, so they are read again.
  out = ""; n_words = 0
  json_parse(list)
  for (i = 0; ("" i) in JT; i++) words[++n_words] = field("" i)
  if (!json_parse(payload)) split("", JT)
  for (i = 1; i <= n_words; i++) out = out " " quoted(fill_word(words[i]))
  return substr(out, 2)
}

# src/dispatch/placeholders.ts has the same names (a test compares the two).
function is_placeholder(name) {
  if (index(name, ".")) return name ~ /^[a-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$/
  return index(" file args result session_id transcript_path cwd hook_event_name permission_mode prompt_id turn_id model agent_id agent_type source reason prompt tool_name tool_input tool_use_id mcp_server permission_suggestions tool_response duration_ms error is_interrupt message title notification_type stop_hook_active agent_transcript_path last_assistant_message trigger custom_instructions compact_summary task_id task_subject task_description ", " " name " ") > 0
}

function fill_word(word,    out, name) {
  out = ""
  if (substr(word, 1, 10) == "{bundles}/") return E_slot "/bundles/" substr(word, 11)
  while (match(word, /[{][a-z_][A-Za-z0-9_.-]*[}]/)) {
    name = substr(word, RSTART + 1, RLENGTH - 2)
    out = out substr(word, 1, RSTART - 1)
    word = substr(word, RSTART + RLENGTH)
    # ${file} is the shell's, and what a shell would then read must not be the payload.
    if (is_placeholder(name) && substr(out, length(out)) != "$") out = out placeholder(name)
    else out = out "{" name "}"
  }
  return out word
}
