-- Uploads that come in pieces, until the last piece is there and they become rows of `uploads`. Times are milliseconds since
-- 1970 in UTC.

CREATE TABLE unfinished_uploads (
  -- The order in which they were begun.
  seq INTEGER PRIMARY KEY,
  -- Random, and that of the upload which it becomes: who has it may go on with it.
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- How many bytes there will be, and how many there are.
  byte_count INTEGER NOT NULL CHECK (byte_count >= 1),
  received INTEGER NOT NULL DEFAULT 0 CHECK (received >= 0 AND received < byte_count),
  expires_at INTEGER NOT NULL,
  -- A digest of who began it, an account or a network: so many of them are counted together.
  beginner BLOB NOT NULL CHECK (length(beginner) = 32),
  -- With whom it goes; NULL where that is nobody.
  author INTEGER REFERENCES users (seq)
) STRICT;

-- The order in which they are purged.
CREATE INDEX unfinished_uploads_expiry ON unfinished_uploads (expires_at);
CREATE INDEX unfinished_uploads_of_beginner ON unfinished_uploads (beginner);
CREATE INDEX unfinished_uploads_of_author ON unfinished_uploads (author) WHERE author IS NOT NULL;

CREATE TABLE upload_pieces (
  seq INTEGER PRIMARY KEY,
  upload INTEGER NOT NULL REFERENCES unfinished_uploads (seq),
  -- Where it begins: at the end of the one before.
  start INTEGER NOT NULL CHECK (start >= 0),
  bytes BLOB NOT NULL CHECK (length(bytes) >= 1),
  UNIQUE (upload, start)
) STRICT;

ALTER TABLE totals ADD COLUMN unfinished_uploads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN unfinished_upload_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER totals_unfinished_upload_added AFTER INSERT ON unfinished_uploads BEGIN
  UPDATE totals
  SET unfinished_uploads = unfinished_uploads + 1, unfinished_upload_bytes = unfinished_upload_bytes + new.received
  WHERE id = 1;
END;

CREATE TRIGGER totals_unfinished_upload_grown AFTER UPDATE OF received ON unfinished_uploads BEGIN
  UPDATE totals SET unfinished_upload_bytes = unfinished_upload_bytes + new.received - old.received WHERE id = 1;
END;

CREATE TRIGGER totals_unfinished_upload_removed AFTER DELETE ON unfinished_uploads BEGIN
  UPDATE totals
  SET unfinished_uploads = unfinished_uploads - 1, unfinished_upload_bytes = unfinished_upload_bytes - old.received
  WHERE id = 1;
END;
