-- Pictures that are kept to make memes of, until somebody deletes them. Times are milliseconds since 1970 in UTC.

CREATE TABLE templates (
  -- The order in which they came. Never used again, so that a place in the list stays one.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  created_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  alt_text TEXT NOT NULL,
  -- The picture.
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png', 'gif', 'webp')),
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one template, and are found from either side. A meme that is made of them has a copy.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id),
  -- The small picture of a list.
  thumbnail_format TEXT NOT NULL CHECK (thumbnail_format IN ('jpeg', 'png')),
  thumbnail_width INTEGER NOT NULL CHECK (thumbnail_width >= 1),
  thumbnail_height INTEGER NOT NULL CHECK (thumbnail_height >= 1),
  thumbnail_byte_count INTEGER NOT NULL CHECK (thumbnail_byte_count >= 0),
  thumbnail_digest BLOB NOT NULL CHECK (length(thumbnail_digest) = 32),
  thumbnail_blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id)
) STRICT;

-- What is left of a deleted template.
CREATE TABLE deleted_templates (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16)
) STRICT, WITHOUT ROWID;

ALTER TABLE totals ADD COLUMN templates INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN template_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER totals_template_added AFTER INSERT ON templates BEGIN
  UPDATE totals
  SET templates = templates + 1,
    template_bytes = template_bytes + new.byte_count + new.thumbnail_byte_count
  WHERE id = 1;
END;

CREATE TRIGGER totals_template_removed AFTER DELETE ON templates BEGIN
  UPDATE totals
  SET templates = templates - 1,
    template_bytes = template_bytes - old.byte_count - old.thumbnail_byte_count
  WHERE id = 1;
END;
