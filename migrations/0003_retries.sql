-- What was answered to requests that came with an Idempotency-Key, so that a client that lost the answer gets it again.
-- A row is written in the transaction that keeps what the request made, and removed after 24 hours. Times are
-- milliseconds since 1970 in UTC.

CREATE TABLE retries (
  -- The order in which rows were written: the oldest are first.
  seq INTEGER PRIMARY KEY,
  -- SHA-256 of the key, and of whose it is.
  key BLOB NOT NULL UNIQUE CHECK (length(key) = 32),
  -- SHA-256 of all that makes the request what it is.
  request BLOB NOT NULL CHECK (length(request) = 32),
  -- The id of the meme that was made, which may be deleted since.
  meme BLOB NOT NULL CHECK (length(meme) = 16),
  -- The answer without its secrets.
  answer BLOB NOT NULL,
  answered_at INTEGER NOT NULL
) STRICT;
