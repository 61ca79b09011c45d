# One field of the JSON on standard input; exit 1 when it is not there.
BEGIN {
  RS = "\001"
  while ((getline line) > 0) text = text line
  p = ENVIRON["HOOK_PATH"]
  if (!json_parse(text) || !(p in JT)) exit 1
  if (JT[p] == "s") printf "%s", json_text(JV[p])
  else printf "%s", substr(text, JB[p], JE[p] - JB[p] + 1)
}
