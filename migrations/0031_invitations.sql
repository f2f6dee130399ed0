-- Invitations to create an account. Times are milliseconds since 1970 in UTC.

CREATE TABLE invitations (
  -- The order of the list. AUTOINCREMENT: a position in it stays valid.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- SHA-256 of the code, because a stored code could be used.
  code BLOB NOT NULL UNIQUE CHECK (length(code) = 32),
  -- NULL if the inviter used the admin token.
  inviter INTEGER REFERENCES users (seq) ON DELETE CASCADE,
  -- The email that the new account must have; NULL for any.
  email TEXT COLLATE NOCASE,
  -- The role of the new account: 0 member, 1 admin.
  role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 1),
  -- How many accounts may still be created. The last use deletes the row.
  uses INTEGER NOT NULL CHECK (uses >= 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX invitations_of_inviter ON invitations (inviter, seq);

-- The expired ones.
CREATE INDEX invitations_expiry ON invitations (expires_at);
