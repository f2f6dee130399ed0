-- Links by which people choose a new password who forgot theirs. Times are milliseconds since 1970 in UTC.

CREATE TABLE password_resets (
  -- SHA-256 of the token: what is stored cannot be shown as one.
  token BLOB NOT NULL PRIMARY KEY CHECK (length(token) = 32),
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX password_resets_of_user ON password_resets (user, created_at);

-- Those that are over.
CREATE INDEX password_resets_age ON password_resets (created_at);
