-- Identities at OpenID Connect providers, with which people sign in. Times are milliseconds since 1970 in UTC.

CREATE TABLE identities (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
  user_id bigint NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  -- The provider, and the person's name there, which never changes. The email is no identity.
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  -- The time of the latest sign-in.
  last_used_at bigint NOT NULL,
  UNIQUE (issuer, subject)
);

-- An account has one identity of each provider.
CREATE UNIQUE INDEX identities_of_user ON identities (user_id, issuer);
