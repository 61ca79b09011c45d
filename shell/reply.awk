# A reply's template with its holes filled: for merge.awk. src/adapters/_reply.ts says the same.

function fill(template, input,    n, i, a, text, piece) {
  hole["R"] = D_reason == "" ? "" : json_quote(D_reason)
  hole["C"] = D_context == "" ? "" : json_quote(D_context)
  hole["I"] = input; hole["N"] = D_notice == "" ? "" : json_quote(D_notice)
  n = split(template, a, "`"); text = ""
  for (i = 1; i <= n; i++) {
    if (i % 2 == 0 && empty_hole(a[i])) continue
    piece = a[i]
    if (substr(text, length(text)) == "{" && substr(piece, 1, 1) == ",") piece = substr(piece, 2)
    text = text filled(piece)
  }
  return text == "{}" ? "" : text
}

function empty_hole(part,    h) {
  for (h in hole) if (index(part, "$" h) && hole[h] == "") return 1
  return 0
}

function filled(part,    out, p) {
  out = ""
  while ((p = index(part, "$")) > 0) {
    out = out substr(part, 1, p - 1) hole[substr(part, p + 1, 1)]
    part = substr(part, p + 2)
  }
  return out part
}
