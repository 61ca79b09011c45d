# Secrets never reach the ledger. The same patterns, in the same order, are in src/dispatch/redact.ts
# (a test compares the two); only plain POSIX ERE without intervals, which every awk has.

function redact(s) {
  gsub(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?/, "[redacted]", s)
  gsub(/(sk|pk|rk)-[A-Za-z0-9_-]*[A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-]+/, "[redacted]", s)
  gsub(/(ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm)[_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-]+/, "[redacted]", s)
  gsub(/(AKIA|ASIA)[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]+/, "[redacted]", s)
  gsub(/AIza[A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-][A-Za-z0-9_-]+/, "[redacted]", s)
  gsub(/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/, "[redacted]", s)
  gsub(/[Bb]earer +[A-Za-z0-9._~+\/=-]+/, "Bearer [redacted]", s)
  gsub(/:\/\/[^\/ :@]+:[^\/ @]+@/, "://[redacted]@", s)
  gsub(/--(password|passwd|token|secret|api-key)[ ]+[^ "']+/, "[redacted]", s)
  gsub(/([Pp]assword|PASSWORD|[Pp]asswd|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Aa]pi[_-]?[Kk]ey|API_KEY)[\\]?["']?[ ]*[=:][ ]*[\\]?["']?[^ "',;&\\]+/, "[redacted]", s)
  return s
}
