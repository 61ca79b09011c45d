/** Secrets never reach the ledger. shell/redact.awk has the same patterns; a test compares them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(-----END [A-Z ]*PRIVATE KEY-----)?/g, "[redacted]"],
  [/(sk|pk|rk)-[A-Za-z0-9_-]{10,}/g, "[redacted]"],
  [/(ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm)[_-][A-Za-z0-9_-]{8,}/g, "[redacted]"],
  [/(AKIA|ASIA)[A-Z0-9]{12,}/g, "[redacted]"],
  [/AIza[A-Za-z0-9_-]{8,}/g, "[redacted]"],
  [/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, "[redacted]"],
  [/[Bb]earer +[A-Za-z0-9._~+/=-]+/g, "Bearer [redacted]"],
  [/:\/\/[^/ :@]+:[^/ @]+@/g, "://[redacted]@"],
  [/--(password|passwd|token|secret|api-key)[ ]+[^ "']+/g, "[redacted]"],
  [
    /([Pp]assword|PASSWORD|[Pp]asswd|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Aa]pi[_-]?[Kk]ey|API_KEY)[\\]?["']?[ ]*[=:][ ]*[\\]?["']?[^ "',;&\\]+/g,
    "[redacted]",
  ],
];

export function redact(text: string): string {
  return PATTERNS.reduce((out, [pattern, by]) => out.replace(pattern, by), text);
}
