-- Pictures in other sizes and kinds of file, made of memes' images when somebody asks for them. A cache: each can be made
-- again, and the least recently used give way.

CREATE TABLE derived_pictures (
  meme INTEGER NOT NULL REFERENCES memes (seq),
  width INTEGER NOT NULL CHECK (width >= 1),
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png', 'gif', 'webp', 'avif')),
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one picture, and are found from either side.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id),
  -- The larger, the later it was used. No time: a clock may be set back.
  last_use INTEGER NOT NULL,
  PRIMARY KEY (meme, width, format)
) STRICT, WITHOUT ROWID;

-- The order in which they give way.
CREATE INDEX derived_pictures_by_use ON derived_pictures (last_use);

-- Those of an image that was edited show what it was, and nobody sees those of a deleted meme. Here, so that no statement
-- that changes a meme can forget them.
CREATE TRIGGER derived_outdated AFTER UPDATE OF version, deleted_at ON memes
WHEN old.version <> new.version OR new.deleted_at IS NOT NULL BEGIN
  DELETE FROM derived_pictures WHERE meme = new.seq;
END;

ALTER TABLE totals ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN derived_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER derived_added AFTER INSERT ON derived_pictures BEGIN
  UPDATE totals SET derived = derived + 1, derived_bytes = derived_bytes + new.byte_count
  WHERE id = 1;
END;

CREATE TRIGGER derived_removed AFTER DELETE ON derived_pictures BEGIN
  DELETE FROM blobs WHERE id = old.blob;
  UPDATE totals SET derived = derived - 1, derived_bytes = derived_bytes - old.byte_count
  WHERE id = 1;
END;
