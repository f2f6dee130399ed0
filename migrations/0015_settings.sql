-- What people want to have as they want it.

CREATE TABLE settings (
  user INTEGER PRIMARY KEY REFERENCES users (seq) ON DELETE CASCADE,
  -- Counts changes.
  version INTEGER NOT NULL CHECK (version >= 1),
  theme TEXT NOT NULL CHECK (theme IN ('light', 'dark', 'system')),
  text_scale REAL NOT NULL,
  reduced_motion INTEGER NOT NULL CHECK (reduced_motion IN (0, 1)),
  high_contrast INTEGER NOT NULL CHECK (high_contrast IN (0, 1)),
  -- What captions are drawn with where a request does not say; NULL: as where nobody chooses. Colours are 0xRRGGBB.
  caption_layout TEXT CHECK (caption_layout IN ('overlay', 'bar')),
  caption_font TEXT,
  caption_fill INTEGER CHECK (caption_fill BETWEEN 0 AND 0xFFFFFF),
  caption_outline INTEGER CHECK (caption_outline BETWEEN 0 AND 0xFFFFFF),
  caption_outline_width REAL,
  caption_size REAL,
  caption_case TEXT CHECK (caption_case IN ('upper', 'typed')),
  caption_align TEXT CHECK (caption_align IN ('left', 'center', 'right')),
  -- Of new memes.
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'friends', 'private')),
  -- Whether people are told of these.
  notify_likes INTEGER NOT NULL CHECK (notify_likes IN (0, 1)),
  notify_comments INTEGER NOT NULL CHECK (notify_comments IN (0, 1)),
  notify_follows INTEGER NOT NULL CHECK (notify_follows IN (0, 1))
) STRICT;

-- Pictures of people, cut to squares. `users.avatar` is the beginning of the largest one's digest in hexadecimal, and names them in
-- addresses; NULL where the person has none, and one is drawn from the name.
ALTER TABLE users ADD COLUMN avatar TEXT CHECK (length(avatar) = 16);

CREATE TABLE avatars (
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  -- The edge that it is made for; a picture that was smaller is not enlarged.
  edge INTEGER NOT NULL CHECK (edge IN (64, 192, 512)),
  format TEXT NOT NULL CHECK (format IN ('jpeg', 'png')),
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height = width),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- UNIQUE: bytes belong to one picture, and are found from either side.
  blob INTEGER NOT NULL UNIQUE REFERENCES blobs (id),
  PRIMARY KEY (user, edge)
) STRICT, WITHOUT ROWID;

-- Also where its person leaves.
CREATE TRIGGER avatar_removed AFTER DELETE ON avatars BEGIN
  DELETE FROM blobs WHERE id = old.blob;
END;
