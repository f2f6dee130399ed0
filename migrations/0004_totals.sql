-- How much there is.
--
-- Counting a million rows takes a good part of a second, so triggers keep the numbers, in the transaction of what they
-- count.

CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Those that people see, and those in the trash.
  visible INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  -- Of all pictures of all memes.
  picture_bytes INTEGER NOT NULL
) STRICT;

INSERT INTO totals (id, visible, deleted, picture_bytes)
VALUES (
  1,
  (SELECT count(*) FROM memes WHERE deleted_at IS NULL),
  (SELECT count(*) FROM memes WHERE deleted_at IS NOT NULL),
  (SELECT coalesce(sum(byte_count), 0) FROM pictures));

CREATE TRIGGER totals_meme_added AFTER INSERT ON memes BEGIN
  UPDATE totals
  SET visible = visible + (new.deleted_at IS NULL), deleted = deleted + (new.deleted_at IS NOT NULL)
  WHERE id = 1;
END;

CREATE TRIGGER totals_meme_moved AFTER UPDATE OF deleted_at ON memes
WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
  UPDATE totals
  SET visible = visible + (new.deleted_at IS NULL) - (old.deleted_at IS NULL),
    deleted = deleted + (new.deleted_at IS NOT NULL) - (old.deleted_at IS NOT NULL)
  WHERE id = 1;
END;

CREATE TRIGGER totals_meme_removed AFTER DELETE ON memes BEGIN
  UPDATE totals
  SET visible = visible - (old.deleted_at IS NULL), deleted = deleted - (old.deleted_at IS NOT NULL)
  WHERE id = 1;
END;

CREATE TRIGGER totals_picture_added AFTER INSERT ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes + new.byte_count WHERE id = 1;
END;

CREATE TRIGGER totals_picture_removed AFTER DELETE ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes - old.byte_count WHERE id = 1;
END;

CREATE TRIGGER totals_picture_changed AFTER UPDATE OF byte_count ON pictures BEGIN
  UPDATE totals SET picture_bytes = picture_bytes - old.byte_count + new.byte_count WHERE id = 1;
END;
