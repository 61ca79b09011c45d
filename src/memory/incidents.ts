import type { Item, Origin, Signal } from "./_memory.ts";
import type { Database } from "./database.ts";

/** How often the same thing must fail in one session to be worth a note. */
const REPEATED = 2;

/** Candidates that signals of these sessions make: repeated failures and reverted edits. */
export function incidents(
  database: Database,
  sessions: readonly string[],
  origin: Omit<Origin, "session">,
): Item[] {
  return [...new Set(sessions)].flatMap((session) => {
    const from = { ...origin, session };
    return [...failures(database, from), ...reverts(database, from)];
  });
}

function failures(database: Database, origin: Origin): Item[] {
  const rows = database.all(
    `SELECT subject, tool, count(*) AS n, max(at) AS at, max(detail) AS detail, max(paths) AS paths
     FROM signals WHERE session = ? AND outcome = 'failed' AND subject <> ''
     GROUP BY subject, tool HAVING n >= ${REPEATED}`,
    origin.session,
  );
  return rows.map((row) => {
    const subject = String(row["subject"]);
    const detail = String(row["detail"]);
    const text = `${shown(subject)} failed ${row["n"]} times in one session${detail === "" ? "" : `: ${detail}`}`;
    return candidate(origin, text, `failure ${row["tool"]} ${subject}`, row);
  });
}

/** A command that throws away what was edited. */
const THROWS_AWAY =
  /\bgit\s+(?:checkout\s+(?:--|\.|HEAD)|restore\b|reset\s+--hard|revert\b|stash\b)/;

function reverts(database: Database, origin: Origin): Item[] {
  const rows = database.all(
    "SELECT tool, outcome, subject, paths, at FROM signals WHERE session = ? ORDER BY at, rowid",
    origin.session,
  );
  const edited = new Map<string, number>();
  return rows.flatMap((row) => {
    const subject = String(row["subject"]);
    if (row["outcome"] === "failed") return [];
    if (row["tool"] === "reverted") return [revertOf(origin, String(row["paths"]), row)];
    if (/^(?:Edit|Write|MultiEdit|apply_patch)$/.test(String(row["tool"])))
      for (const path of String(row["paths"]).split("\n").filter(Boolean)) edited.set(path, 1);
    if (!THROWS_AWAY.test(subject)) return [];
    const names = [...edited.keys()].filter((path) => concerns(subject, path));
    for (const path of names) edited.delete(path);
    return names.map((path) => revertOf(origin, path, row));
  });
}

/** A command without paths concerns them all. */
function concerns(command: string, path: string): boolean {
  const name = path.split("/").at(-1)!;
  return command.includes(name) || !/[\w-]+\.\w+\b|\w+\/\w+/.test(command.replace(/\bHEAD\S*/, ""));
}

const revertOf = (origin: Origin, path: string, row: Readonly<Record<string, unknown>>): Item =>
  candidate(origin, `Edits of ${path} were taken back`, `revert ${path}`, { ...row, paths: path });

function candidate(
  origin: Origin,
  text: string,
  key: string,
  row: Readonly<Record<string, unknown>>,
): Item {
  return {
    ...origin,
    ...{ kind: "incident", scope: "project", status: "candidate", author: "anyhook" },
    text,
    key,
    paths: String(row["paths"] ?? "")
      .split("\n")
      .filter(Boolean)
      .slice(0, 10),
    at: String(row["at"] ?? ""),
    evidence: `${origin.session}:${key}`.slice(0, 300),
  };
}

const shown = (subject: string): string =>
  `\`${subject.replaceAll(/\s+/g, " ").replaceAll("`", "'").slice(0, 160)}\``;

/**
 * Keeps the newest; an id that is there already is the same call. Some harnesses do not tell hooks
 * that a call failed, and only the transcript knows.
 */
export function keepSignals(database: Database, signals: readonly Signal[]): number {
  const added = signals.map(({ id, at, session, tool, outcome, subject, detail, paths }) => {
    const values = [id, at, session, tool, outcome, subject, detail, paths.join("\n")];
    return database.run(
      `INSERT INTO signals VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE
       SET outcome = excluded.outcome, detail = excluded.detail, subject = excluded.subject, tool = excluded.tool
       WHERE excluded.outcome = 'failed' AND signals.outcome = 'ok'`,
      ...values,
    ).changes;
  });
  database.run(
    "DELETE FROM signals WHERE rowid <= (SELECT max(rowid) FROM signals) - ?",
    MOST_SIGNALS,
  );
  return added.reduce((sum, one) => sum + one, 0);
}

const MOST_SIGNALS = 5000;
