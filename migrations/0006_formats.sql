-- Kinds of file that came later: AVIF and HEIC.
--
-- A CHECK cannot be changed, so the table is made anew with its rows; its triggers go with the old one.

CREATE TABLE new_pictures (
  meme INTEGER NOT NULL REFERENCES memes (seq),
  -- 0 original, 1 image, 2 table thumbnail, 3 grid thumbnail
  role INTEGER NOT NULL CHECK (role >= 0),
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png', 'gif', 'webp', 'avif', 'heic')),
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one picture, and are found from either side.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id),
  PRIMARY KEY (meme, role)
) STRICT, WITHOUT ROWID;

INSERT INTO new_pictures (meme, role, format, width, height, byte_count, digest, blob)
SELECT meme, role, format, width, height, byte_count, digest, blob FROM pictures ORDER BY meme, role;

DROP TRIGGER totals_picture_added;
DROP TRIGGER totals_picture_removed;
DROP TRIGGER totals_picture_changed;
DROP TABLE pictures;
ALTER TABLE new_pictures RENAME TO pictures;

CREATE TRIGGER totals_picture_added AFTER INSERT ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes + new.byte_count WHERE id = 1;
END;

CREATE TRIGGER totals_picture_removed AFTER DELETE ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes - old.byte_count WHERE id = 1;
END;

CREATE TRIGGER totals_picture_changed AFTER UPDATE OF byte_count ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes - old.byte_count + new.byte_count WHERE id = 1;
END;
