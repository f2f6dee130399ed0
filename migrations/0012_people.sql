-- People with an account, and where they are signed in. Times are milliseconds since 1970 in UTC.

CREATE TABLE users (
  -- What other tables call them by. AUTOINCREMENT: a number never names a second person.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- In lower case.
  username TEXT NOT NULL UNIQUE,
  -- As it was written; two that differ in capitals only are one. Addresses are ASCII, which is what NOCASE folds.
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  display_name TEXT,
  bio TEXT,
  -- Argon2id, in the encoded form that names its parameters and has its salt.
  password TEXT NOT NULL,
  password_changed_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  -- SHA-256 of the token: what is stored cannot be shown as one.
  token BLOB NOT NULL PRIMARY KEY CHECK (length(token) = 32),
  -- What its person calls it by.
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- To the hour.
  last_used_at INTEGER NOT NULL,
  -- What the client called itself.
  user_agent TEXT
) STRICT, WITHOUT ROWID;

-- A person's, the one that was used last at the end.
CREATE INDEX sessions_of_user ON sessions (user, last_used_at);

-- Those that are over.
CREATE INDEX sessions_idle ON sessions (last_used_at);
CREATE INDEX sessions_age ON sessions (created_at);
