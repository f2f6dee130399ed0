-- Identities at OpenID Connect providers, with which people sign in. Times are milliseconds since 1970 in UTC.

CREATE TABLE identities (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  user_id INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  -- The provider, and the person's name there, which never changes. The email is no identity.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The time of the latest sign-in.
  last_used_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;

-- An account has one identity of each provider.
CREATE UNIQUE INDEX identities_of_user ON identities (user_id, issuer);
