-- Second factors: codes that an app on the user's phone computes (RFC 6238). Times are milliseconds since 1970 in UTC.

CREATE TABLE second_factors (
  "user" bigint PRIMARY KEY REFERENCES users (seq) ON DELETE CASCADE,
  -- The 20 bytes from which codes are computed: 24 of a nonce, then encrypted under a key that is not in the database.
  secret bytea NOT NULL CHECK (octet_length(secret) = 60),
  -- NULL until the user has shown that the app has the secret.
  enabled_at bigint,
  -- The step of the last code that was used, because each code is good once; NULL if none was.
  last_step bigint
);

CREATE TABLE recovery_codes (
  -- SHA-256 of the code, because a stored code could be used.
  code bytea PRIMARY KEY CHECK (octet_length(code) = 32),
  "user" bigint NOT NULL REFERENCES users (seq) ON DELETE CASCADE
);

CREATE INDEX recovery_codes_of_user ON recovery_codes ("user");
