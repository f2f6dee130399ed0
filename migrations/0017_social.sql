-- What people do with memes: like them, keep them among their favorites, comment on them. Times are milliseconds since 1970 in
-- UTC.

-- How many there are, beside the rest of what a list shows; kept by triggers, in the transaction of what they count.
ALTER TABLE memes ADD COLUMN like_count INTEGER NOT NULL DEFAULT 0 CHECK (like_count >= 0);
ALTER TABLE memes ADD COLUMN favorite_count INTEGER NOT NULL DEFAULT 0 CHECK (favorite_count >= 0);
ALTER TABLE memes ADD COLUMN comment_count INTEGER NOT NULL DEFAULT 0 CHECK (comment_count >= 0);

-- Of all memes, those in the trash too.
ALTER TABLE totals ADD COLUMN likes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN comments INTEGER NOT NULL DEFAULT 0;

-- Memes that are gone, but for the rows of the three tables below: a meme has any number of them, so they go some at a time, and
-- refer to their meme only by its number. It never names another one.
CREATE TABLE discarded_memes (
  meme INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE likes (
  -- The order in which they began. AUTOINCREMENT: a place in a list stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  meme INTEGER NOT NULL,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX likes_once ON likes (user, meme);
-- In their order, as every index ends with the row's number.
CREATE INDEX likes_of_meme ON likes (meme);

CREATE TABLE favorites (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  meme INTEGER NOT NULL,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX favorites_once ON favorites (user, meme);
CREATE INDEX favorites_of_user ON favorites (user);
CREATE INDEX favorites_of_meme ON favorites (meme);

CREATE TABLE comments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- Counts edits, from 1.
  version INTEGER NOT NULL DEFAULT 1,
  meme INTEGER NOT NULL,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- NULL where it is as it was written.
  edited_at INTEGER,
  -- NULL where it is not deleted. Of one that is, its place is kept and its text is not.
  deleted_at INTEGER,
  text TEXT NOT NULL CHECK (deleted_at IS NULL OR text = '')
) STRICT;

CREATE INDEX comments_of_meme ON comments (meme, deleted_at);
CREATE INDEX comments_of_user ON comments (user, meme);

CREATE TRIGGER like_added AFTER INSERT ON likes BEGIN
  UPDATE memes SET like_count = like_count + 1 WHERE seq = new.meme;
  UPDATE totals SET likes = likes + 1 WHERE id = 1;
END;

CREATE TRIGGER like_removed AFTER DELETE ON likes BEGIN
  UPDATE memes SET like_count = like_count - 1 WHERE seq = old.meme;
  UPDATE totals SET likes = likes - 1 WHERE id = 1;
END;

CREATE TRIGGER favorite_added AFTER INSERT ON favorites BEGIN
  UPDATE memes SET favorite_count = favorite_count + 1 WHERE seq = new.meme;
END;

CREATE TRIGGER favorite_removed AFTER DELETE ON favorites BEGIN
  UPDATE memes SET favorite_count = favorite_count - 1 WHERE seq = old.meme;
END;

CREATE TRIGGER comment_added AFTER INSERT ON comments BEGIN
  UPDATE memes SET comment_count = comment_count + 1 WHERE seq = new.meme;
  UPDATE totals SET comments = comments + 1 WHERE id = 1;
END;

CREATE TRIGGER comment_deleted AFTER UPDATE OF deleted_at ON comments
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  UPDATE memes SET comment_count = comment_count - 1 WHERE seq = new.meme;
  UPDATE totals SET comments = comments - 1 WHERE id = 1;
END;

CREATE TRIGGER comment_removed AFTER DELETE ON comments WHEN old.deleted_at IS NULL BEGIN
  UPDATE memes SET comment_count = comment_count - 1 WHERE seq = old.meme;
  UPDATE totals SET comments = comments - 1 WHERE id = 1;
END;

CREATE TRIGGER meme_discarded AFTER DELETE ON memes
WHEN EXISTS (SELECT 1 FROM likes WHERE meme = old.seq)
  OR EXISTS (SELECT 1 FROM favorites WHERE meme = old.seq)
  OR EXISTS (SELECT 1 FROM comments WHERE meme = old.seq) BEGIN
  INSERT INTO discarded_memes (meme) VALUES (old.seq);
END;
