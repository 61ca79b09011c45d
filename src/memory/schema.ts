/**
 * The schema, one step per version; PRAGMA user_version counts them. A step that was released is
 * never edited: the next one changes what it made.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    scope TEXT NOT NULL,
    status TEXT NOT NULL,
    author TEXT NOT NULL,
    harness TEXT NOT NULL,
    session TEXT NOT NULL,
    branch TEXT NOT NULL,
    folder TEXT NOT NULL,
    paths TEXT NOT NULL,
    at TEXT NOT NULL
  );
  CREATE TABLE evidence (memory INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (memory, key)) WITHOUT ROWID;
  CREATE TABLE signals (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    session TEXT NOT NULL,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    paths TEXT NOT NULL
  );
  CREATE TABLE cursors (file TEXT PRIMARY KEY, inode TEXT NOT NULL, head TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  INSERT INTO facts VALUES ('salt', lower(hex(randomblob(16))));
  CREATE VIRTUAL TABLE words USING fts5(stems, concepts, places, tokenize = 'unicode61 remove_diacritics 0');
  INSERT INTO words(words, rank) VALUES ('secure-delete', 1);
  `,
  `
  CREATE TABLE members (page INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (page, memory)) WITHOUT ROWID;
  CREATE INDEX members_by_memory ON members (memory);
  CREATE INDEX memories_by_status ON memories (status, at);
  CREATE INDEX signals_by_session ON signals (session, subject);
  CREATE TABLE forgotten (uid TEXT PRIMARY KEY, at TEXT NOT NULL);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
  `,
];
