-- What clients follow that hold a copy of somebody's memes. Times are milliseconds since 1970 in UTC.

-- Whose numbers they are: a database that is another one, or begins again, has others. Places in the sequence are of one of them.
CREATE TABLE epochs (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch BLOB NOT NULL CHECK (length(epoch) = 8)
) STRICT;

INSERT INTO epochs (id, epoch) VALUES (1, randomblob(8));

-- The newest change of each meme that somebody has: whether the meme was made, edited or deleted is told by what it is now.
-- Rows refer to nothing: a deleted meme's outlives it, and who leaves takes any number of them.
CREATE TABLE changes (
  -- The order in which changes were committed. AUTOINCREMENT: a number never names a second change.
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The meme's id.
  meme BLOB NOT NULL UNIQUE CHECK (length(meme) = 16),
  -- The `users.seq` of whoever has it.
  author INTEGER NOT NULL,
  -- When the meme was deleted; NULL for one that is there.
  deleted_at INTEGER
) STRICT;

-- A person's, in their order, as every index ends with the row's number. What is there and what is deleted has an index of its
-- own, so that whoever begins from nothing does not go through what is deleted, and a new meme is written to one of them.
CREATE INDEX changes_there ON changes (author) WHERE deleted_at IS NULL;
CREATE INDEX changes_deleted ON changes (author) WHERE deleted_at IS NOT NULL;

INSERT INTO changes (meme, author, deleted_at)
SELECT id, author, deleted_at FROM memes WHERE author IS NOT NULL ORDER BY seq;

CREATE TRIGGER change_of_new AFTER INSERT ON memes WHEN new.author IS NOT NULL BEGIN
  INSERT INTO changes (meme, author, deleted_at) VALUES (new.id, new.author, new.deleted_at);
END;

-- Every edit makes a version. What is counted of a meme is in none of these columns.
CREATE TRIGGER change_of_old AFTER UPDATE OF version, author, visibility, deleted_at ON memes
WHEN new.author IS NOT NULL
  AND (new.version <> old.version OR new.author IS NOT old.author
    OR new.visibility <> old.visibility OR new.deleted_at IS NOT old.deleted_at)
BEGIN
  DELETE FROM changes WHERE meme = new.id;
  INSERT INTO changes (meme, author, deleted_at) VALUES (new.id, new.author, new.deleted_at);
END;

CREATE TRIGGER changes_of_nobody AFTER DELETE ON users BEGIN
  DELETE FROM changes WHERE author = old.seq AND deleted_at IS NULL;
  DELETE FROM changes WHERE author = old.seq AND deleted_at IS NOT NULL;
END;

-- What is left of deleted memes goes after a while, the oldest first.
CREATE INDEX deleted_memes_by_time ON deleted_memes (deleted_at);

-- The highest number of a person's deletion that went like that: whoever was told of changes up to there knows of all that went.
ALTER TABLE users ADD COLUMN pruned_changes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER change_pruned AFTER DELETE ON deleted_memes BEGIN
  UPDATE users
  SET pruned_changes = max(pruned_changes, (SELECT number FROM changes WHERE meme = old.id))
  WHERE seq = (SELECT author FROM changes WHERE meme = old.id);
  DELETE FROM changes WHERE meme = old.id;
END;
