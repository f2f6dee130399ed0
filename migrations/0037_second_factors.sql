-- Second factors: codes that an app on the user's phone computes (RFC 6238). Times are milliseconds since 1970 in UTC.

CREATE TABLE second_factors (
  user INTEGER PRIMARY KEY REFERENCES users (seq) ON DELETE CASCADE,
  -- The 20 bytes from which codes are computed: 24 of a nonce, then encrypted under a key that is not in the database.
  secret BLOB NOT NULL CHECK (length(secret) = 60),
  -- NULL until the user has shown that the app has the secret.
  enabled_at INTEGER,
  -- The step of the last code that was used, because each code is good once; NULL if none was.
  last_step INTEGER
) STRICT;

CREATE TABLE recovery_codes (
  -- SHA-256 of the code, because a stored code could be used.
  code BLOB PRIMARY KEY CHECK (length(code) = 32),
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX recovery_codes_of_user ON recovery_codes (user);
