-- Admins: who is one, who may do nothing for a while, what admins did, and what they look at. Times are milliseconds since
-- 1970 in UTC.

-- 0 member, 1 admin.
ALTER TABLE users ADD COLUMN role INTEGER NOT NULL DEFAULT 0 CHECK (role BETWEEN 0 AND 1);

-- When the person was suspended; NULL for one who is not.
ALTER TABLE users ADD COLUMN suspended_at INTEGER;

-- To count them.
CREATE INDEX users_suspended ON users (suspended_at) WHERE suspended_at IS NOT NULL;

CREATE TABLE audit (
  -- The order in which it was done. AUTOINCREMENT: a place in the list stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (actor IN ('token', 'person', 'command')),
  -- The actor's name at that time, and not a reference: what somebody did outlives their account.
  username TEXT CHECK ((username IS NOT NULL) = (actor = 'person')),
  act TEXT NOT NULL,
  -- A username, or an id.
  subject TEXT,
  -- A JSON object.
  details TEXT NOT NULL,
  -- The id of the request, to be found in the log.
  request TEXT
) STRICT;

-- The memes of a stretch of time.
CREATE INDEX memes_by_time ON memes (created_at) WHERE deleted_at IS NULL;
-- Those of them that are nobody's.
CREATE INDEX memes_of_nobody ON memes (created_at) WHERE author IS NULL AND deleted_at IS NULL;

-- How many memes were made on a day, whatever became of them since. Days count from 1970 in UTC.
CREATE TABLE upload_days (
  day INTEGER PRIMARY KEY,
  memes INTEGER NOT NULL
) STRICT;

INSERT INTO upload_days (day, memes)
SELECT created_at / 86400000, count(*) FROM memes GROUP BY 1;

CREATE TRIGGER upload_counted AFTER INSERT ON memes BEGIN
  INSERT INTO upload_days (day, memes) VALUES (new.created_at / 86400000, 1)
  ON CONFLICT (day) DO UPDATE SET memes = memes + 1;
END;

-- What of picture_bytes is originals and images; the rest is thumbnails.
ALTER TABLE totals ADD COLUMN original_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN image_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE totals
SET (original_bytes, image_bytes) = (
  SELECT coalesce(sum(iif(role = 0, byte_count, 0)), 0), coalesce(sum(iif(role = 1, byte_count, 0)), 0)
  FROM pictures);

DROP TRIGGER totals_picture_added;
DROP TRIGGER totals_picture_removed;
DROP TRIGGER totals_picture_changed;

CREATE TRIGGER totals_picture_added AFTER INSERT ON pictures BEGIN
  UPDATE totals
  SET picture_bytes = picture_bytes + new.byte_count,
    original_bytes = original_bytes + iif(new.role = 0, new.byte_count, 0),
    image_bytes = image_bytes + iif(new.role = 1, new.byte_count, 0)
  WHERE id = 1;
END;

CREATE TRIGGER totals_picture_removed AFTER DELETE ON pictures BEGIN
  UPDATE totals
  SET picture_bytes = picture_bytes - old.byte_count,
    original_bytes = original_bytes - iif(old.role = 0, old.byte_count, 0),
    image_bytes = image_bytes - iif(old.role = 1, old.byte_count, 0)
  WHERE id = 1;
END;

CREATE TRIGGER totals_picture_changed AFTER UPDATE OF byte_count ON pictures BEGIN
  UPDATE totals
  SET picture_bytes = picture_bytes - old.byte_count + new.byte_count,
    original_bytes = original_bytes + iif(new.role = 0, new.byte_count - old.byte_count, 0),
    image_bytes = image_bytes + iif(new.role = 1, new.byte_count - old.byte_count, 0)
  WHERE id = 1;
END;
