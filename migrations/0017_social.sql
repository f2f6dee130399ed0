-- What people do with memes: like them, keep them among their favorites, comment on them. Times are milliseconds since 1970 in
-- UTC.

-- How many there are, beside the rest of what a list shows; kept by triggers, in the transaction of what they count.
ALTER TABLE memes ADD COLUMN like_count INTEGER NOT NULL DEFAULT 0 CHECK (like_count >= 0);
ALTER TABLE memes ADD COLUMN favorite_count INTEGER NOT NULL DEFAULT 0 CHECK (favorite_count >= 0);
ALTER TABLE memes ADD COLUMN comment_count INTEGER NOT NULL DEFAULT 0 CHECK (comment_count >= 0);

CREATE TABLE likes (
  -- The order in which they began. AUTOINCREMENT: a place in a list stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  meme INTEGER NOT NULL REFERENCES memes (seq) ON DELETE CASCADE,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX likes_once ON likes (user, meme);
CREATE INDEX likes_of_meme ON likes (meme, seq);

CREATE TABLE favorites (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  meme INTEGER NOT NULL REFERENCES memes (seq) ON DELETE CASCADE,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX favorites_once ON favorites (user, meme);
CREATE INDEX favorites_of_user ON favorites (user, seq);
CREATE INDEX favorites_of_meme ON favorites (meme);

CREATE TABLE comments (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  meme INTEGER NOT NULL REFERENCES memes (seq) ON DELETE CASCADE,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- NULL where it is as it was written.
  edited_at INTEGER,
  text TEXT NOT NULL
) STRICT;

CREATE INDEX comments_of_meme ON comments (meme, seq);
CREATE INDEX comments_of_user ON comments (user, meme);

CREATE TRIGGER like_added AFTER INSERT ON likes BEGIN
  UPDATE memes SET like_count = like_count + 1 WHERE seq = new.meme;
END;

CREATE TRIGGER like_removed AFTER DELETE ON likes BEGIN
  UPDATE memes SET like_count = like_count - 1 WHERE seq = old.meme;
END;

CREATE TRIGGER favorite_added AFTER INSERT ON favorites BEGIN
  UPDATE memes SET favorite_count = favorite_count + 1 WHERE seq = new.meme;
END;

CREATE TRIGGER favorite_removed AFTER DELETE ON favorites BEGIN
  UPDATE memes SET favorite_count = favorite_count - 1 WHERE seq = old.meme;
END;

CREATE TRIGGER comment_added AFTER INSERT ON comments BEGIN
  UPDATE memes SET comment_count = comment_count + 1 WHERE seq = new.meme;
END;

CREATE TRIGGER comment_removed AFTER DELETE ON comments BEGIN
  UPDATE memes SET comment_count = comment_count - 1 WHERE seq = old.meme;
END;
