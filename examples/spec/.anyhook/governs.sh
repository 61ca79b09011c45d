# What the three hooks share: which node of spec/ governs a file, and what this session was told.
SPEC_ROOT=spec

# A sub-agent has its own memory: what it was told, its parent was not.
spec_turn() {
  spec_key=$(printf '%s' "$(hook_field session_id).$(hook_field agent_id)" | tr -c 'A-Za-z0-9.-' _)
  spec_told=$ANYHOOK_STATE/spec.$spec_key
  mkdir -p "$ANYHOOK_STATE"
}

spec_seen() { [ -f "$spec_told" ] && grep -Fxq -- "$1" "$spec_told"; }

spec_mark() { printf '%s\n' "$1" >>"$spec_told"; }

spec_forget() {
  for word; do
    [ ! -f "$spec_told" ] || { grep -Fxv -- "$word" "$spec_told" >"$spec_told.$$"; mv "$spec_told.$$" "$spec_told"; }
  done
}

# Paths, one per line, as seen from the project; others are nobody's business here.
spec_each() {
  printf '%s\n' "$1" | while IFS= read -r one; do
    case $one in
      "$ANYHOOK_PROJECT_DIR"/*) printf '%s\n' "${one#"$ANYHOOK_PROJECT_DIR"/}" ;;
      /*) ;;
      ?*) printf '%s\n' "${one#./}" ;;
    esac
  done
}

# node, glob and title of every line under `governs:` in the front matter of spec/**/*.md
spec_index() {
  find "$ANYHOOK_PROJECT_DIR/$SPEC_ROOT" -name '*.md' -type f 2>/dev/null | LC_ALL=C sort | while IFS= read -r node; do
    awk -v node="${node#"$ANYHOOK_PROJECT_DIR"/}" '
      NR == 1 && $0 !~ /^---/ { exit }
      NR > 1 && /^---/ { for (i = 1; i <= n; i++) print node "\t" glob[i] "\t" title; exit }
      /^title:/ { title = $0; sub(/^title:[ \t]*/, "", title) }
      /^[A-Za-z_]+:/ { inside = ($1 == "governs:") }
      inside && /^[ \t]*-/ { text = $0; sub(/^[ \t]*-[ \t]*/, "", text); gsub(/^["\047]|["\047]$/, "", text); glob[++n] = text }
    ' "$node"
  done
}

# path, node, title of every governed path in $1; a file belongs to the first node that names it
spec_governed() {
  spec_all=$(spec_index)
  spec_each "$1" | LC_ALL=C sort -u | while IFS= read -r path; do
    printf '%s\n' "$spec_all" | while IFS='	' read -r node glob title; do
      # shellcheck disable=SC2254 # the glob is meant as one
      case $path in $glob) printf '%s\t%s\t%s\n' "$path" "$node" "$title"; break ;; esac
    done
  done
}

# The words of a command line that it reads: what follows > is written, and so is what tee, sed -i
# and their like are given. A guess about shell text, and only used to say something in time.
spec_reads() {
  LC_ALL=C awk '
    { text = text $0 "\n" }
    END {
      gsub(/["\047\\]/, "", text)
      gsub(/[0-9]*>>?[ \t]*[^ \t\n;|&]+/, " ", text)
      gsub(/[;|&\n()]+/, " ; ", text); gsub(/</, " ", text)
      n = split(text, word, /[ \t]+/); fresh = 1; writes = 0
      for (i = 1; i <= n; i++) {
        if (word[i] == ";") { fresh = 1; writes = 0; continue }
        if (word[i] == "" || word[i] ~ /^[A-Za-z_]+=/) continue
        if (fresh) { fresh = 0; program = word[i]; writes = program ~ /(^|\/)(tee|touch|rm|mkdir|chmod|echo|printf)$/; continue }
        if (program ~ /(^|\/)(sed|perl)$/ && word[i] ~ /^-[a-z]*i/) writes = 1
        if (!writes && word[i] !~ /^-/) print word[i]
      }
    }'
}
