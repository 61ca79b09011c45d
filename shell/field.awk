# One field of the JSON on standard input; exit 1 when it is not there, 70 when that cannot be said.
BEGIN {
  RS = "\001"
  while ((getline line) > 0) text = (n++) ? text "\001" line : line
  p = json_asked = ENVIRON["HOOK_PATH"]; json_only = 1
  if (text ~ /^[ \t\r\n]*$/) exit 1
  if (!json_parse(text) || split(p, keys, ".") > 200) exit 70
  if (!(p in JT)) exit 1
  if (JT[p] == "s") printf "%s", json_text(JV[p])
  else printf "%s", substr(text, JB[p], JE[p] - JB[p] + 1)
}
