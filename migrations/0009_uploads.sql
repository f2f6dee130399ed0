-- Pictures that were sent ahead of the memes that are made of them, for a day. Times are milliseconds since 1970 in UTC.

CREATE TABLE uploads (
  -- The order in which they came.
  seq INTEGER PRIMARY KEY,
  -- Random: who has it may use the upload.
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  expires_at INTEGER NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png', 'gif', 'webp', 'avif', 'heic')),
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one upload, and are found from either side. A meme that is made of them has a copy.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id)
) STRICT;

-- The order in which they are purged.
CREATE INDEX uploads_expiry ON uploads (expires_at);

ALTER TABLE totals ADD COLUMN uploads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN upload_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER totals_upload_added AFTER INSERT ON uploads BEGIN
  UPDATE totals SET uploads = uploads + 1, upload_bytes = upload_bytes + new.byte_count WHERE id = 1;
END;

CREATE TRIGGER totals_upload_removed AFTER DELETE ON uploads BEGIN
  UPDATE totals SET uploads = uploads - 1, upload_bytes = upload_bytes - old.byte_count WHERE id = 1;
END;

-- Not only memes are made by requests that may come again.
ALTER TABLE retries RENAME COLUMN meme TO made;
