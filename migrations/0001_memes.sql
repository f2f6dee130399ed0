-- Memes and their picture files.
--
-- What a list shows is in narrow rows; the bytes of pictures have a table of their own, which only the reading of one
-- picture touches. Times are milliseconds since 1970 in UTC.

CREATE TABLE memes (
  -- The order of the list. AUTOINCREMENT: a number never names a second meme, so a place in the list stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  version INTEGER NOT NULL CHECK (version >= 1),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  top TEXT NOT NULL,
  bottom TEXT NOT NULL,
  alt_text TEXT NOT NULL,
  -- Colours are 0xRRGGBB; widths and sizes are fractions.
  fill INTEGER NOT NULL CHECK (fill BETWEEN 0 AND 0xFFFFFF),
  outline INTEGER NOT NULL CHECK (outline BETWEEN 0 AND 0xFFFFFF),
  outline_width REAL NOT NULL,
  size REAL NOT NULL,
  -- How each caption came out: a JSON array.
  fit TEXT NOT NULL,
  -- SHA-256 of what the client sent.
  draft_digest BLOB NOT NULL CHECK (length(draft_digest) = 32)
) STRICT;

CREATE TABLE blobs (
  id INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE pictures (
  meme INTEGER NOT NULL REFERENCES memes (seq),
  -- 0 original, 1 image, 2 table thumbnail, 3 grid thumbnail
  role INTEGER NOT NULL CHECK (role >= 0),
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png', 'gif', 'webp')),
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one picture, and are found from either side.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id),
  PRIMARY KEY (meme, role)
) STRICT, WITHOUT ROWID;

-- What was deleted: nothing of it but its id, so that it cannot come back by accident. A table of its own keeps the list
-- free of rows to skip.
CREATE TABLE deleted_memes (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
