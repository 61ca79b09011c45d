# The text on standard input as a JSON string, cut to what a reply can hold.
BEGIN {
  RS = "\001"
  while ((getline line) > 0) text = text line
  printf "%s", json_quote(json_wellformed(substr(text, 1, 200000)))
}
