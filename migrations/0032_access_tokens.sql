-- Access tokens of scripts and bots. Times are milliseconds since 1970 in UTC.

CREATE TABLE access_tokens (
  -- The order of the list.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- SHA-256 of the token, because a stored token could be used.
  token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- The sum of 1 read, 2 write, 4 admin.
  scopes INTEGER NOT NULL CHECK (scopes BETWEEN 1 AND 7),
  created_at INTEGER NOT NULL,
  -- NULL if it does not expire.
  expires_at INTEGER,
  -- To the minute; NULL if it was never used.
  last_used_at INTEGER
) STRICT;

CREATE INDEX access_tokens_of_user ON access_tokens (user, seq);

-- The expired ones.
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at) WHERE expires_at IS NOT NULL;
