-- Who made what, who may see it, and who follows or blocks whom. Times are milliseconds since 1970 in UTC.

-- Whoever made the meme with an account, or claimed it; NULL for nobody's.
ALTER TABLE memes ADD COLUMN author INTEGER REFERENCES users (seq);

-- Who may see it beside its author: 0 everybody, 1 the author's friends, 2 nobody. What is nobody's is for everybody.
ALTER TABLE memes ADD COLUMN visibility INTEGER NOT NULL DEFAULT 0
  CHECK (visibility BETWEEN 0 AND 2 AND (visibility = 0 OR author IS NOT NULL));

-- The list of those who are not signed in: however many memes are hidden from them, no page has any to skip.
CREATE INDEX memes_public ON memes (seq) WHERE deleted_at IS NULL AND visibility = 0;

-- A person's memes, newest first, those for each audience by themselves, and those in the trash behind them.
CREATE INDEX memes_of_author ON memes (author, visibility, deleted_at) WHERE author IS NOT NULL;

-- What was purged is told to those who could see it.
ALTER TABLE deleted_memes ADD COLUMN author INTEGER REFERENCES users (seq) ON DELETE SET NULL;
ALTER TABLE deleted_memes ADD COLUMN visibility INTEGER NOT NULL DEFAULT 0
  CHECK (visibility BETWEEN 0 AND 2);

CREATE INDEX deleted_memes_of_author ON deleted_memes (author) WHERE author IS NOT NULL;

ALTER TABLE templates ADD COLUMN author INTEGER REFERENCES users (seq);

CREATE INDEX templates_of_author ON templates (author) WHERE author IS NOT NULL;

-- Who has an upload's id may use it. Its author is known so that it goes with them.
ALTER TABLE uploads ADD COLUMN author INTEGER REFERENCES users (seq);

CREATE INDEX uploads_of_author ON uploads (author) WHERE author IS NOT NULL;

-- Bytes that nothing refers to any more. What is freed is overwritten, which takes its time, so the bytes of somebody who
-- left go some at a time.
CREATE TABLE discarded_blobs (
  blob INTEGER PRIMARY KEY REFERENCES blobs (id),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0)
) STRICT;

-- A derived picture's bytes go with it, but where they go later.
DROP TRIGGER derived_removed;
CREATE TRIGGER derived_removed AFTER DELETE ON derived_pictures BEGIN
  DELETE FROM blobs
  WHERE id = old.blob AND NOT EXISTS (SELECT 1 FROM discarded_blobs WHERE blob = old.blob);
  UPDATE totals SET derived = derived - 1, derived_bytes = derived_bytes - old.byte_count
  WHERE id = 1;
END;

-- What somebody who leaves has made, to forget the answers that tell of it.
CREATE INDEX retries_made ON retries (made);

CREATE TABLE follows (
  -- The order in which they began. AUTOINCREMENT: a place in a list stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  follower INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  followed INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  CHECK (follower <> followed)
) STRICT;

CREATE UNIQUE INDEX follows_once ON follows (follower, followed);
CREATE INDEX follows_of_follower ON follows (follower, seq);
CREATE INDEX follows_of_followed ON follows (followed, seq);

CREATE TABLE blocks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  blocker INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  blocked INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  CHECK (blocker <> blocked)
) STRICT;

CREATE UNIQUE INDEX blocks_once ON blocks (blocker, blocked);
CREATE INDEX blocks_of_blocker ON blocks (blocker, seq);
CREATE INDEX blocks_of_blocked ON blocks (blocked);

-- How much there is of a person, kept by triggers in the transaction of what they count. Memes in the trash do not count.
ALTER TABLE users ADD COLUMN public_memes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN friends_memes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN private_memes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN followers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN following INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER author_meme_added AFTER INSERT ON memes
WHEN new.author IS NOT NULL AND new.deleted_at IS NULL BEGIN
  UPDATE users
  SET public_memes = public_memes + (new.visibility = 0),
    friends_memes = friends_memes + (new.visibility = 1),
    private_memes = private_memes + (new.visibility = 2)
  WHERE seq = new.author;
END;

CREATE TRIGGER author_meme_removed AFTER DELETE ON memes
WHEN old.author IS NOT NULL AND old.deleted_at IS NULL BEGIN
  UPDATE users
  SET public_memes = public_memes - (old.visibility = 0),
    friends_memes = friends_memes - (old.visibility = 1),
    private_memes = private_memes - (old.visibility = 2)
  WHERE seq = old.author;
END;

CREATE TRIGGER author_meme_changed AFTER UPDATE OF author, visibility, deleted_at ON memes
WHEN old.author IS NOT NULL OR new.author IS NOT NULL BEGIN
  UPDATE users
  SET public_memes = public_memes - (old.visibility = 0),
    friends_memes = friends_memes - (old.visibility = 1),
    private_memes = private_memes - (old.visibility = 2)
  WHERE seq = old.author AND old.deleted_at IS NULL;
  UPDATE users
  SET public_memes = public_memes + (new.visibility = 0),
    friends_memes = friends_memes + (new.visibility = 1),
    private_memes = private_memes + (new.visibility = 2)
  WHERE seq = new.author AND new.deleted_at IS NULL;
END;

CREATE TRIGGER follow_added AFTER INSERT ON follows BEGIN
  UPDATE users SET following = following + 1 WHERE seq = new.follower;
  UPDATE users SET followers = followers + 1 WHERE seq = new.followed;
END;

CREATE TRIGGER follow_removed AFTER DELETE ON follows BEGIN
  UPDATE users SET following = following - 1 WHERE seq = old.follower;
  UPDATE users SET followers = followers - 1 WHERE seq = old.followed;
END;
