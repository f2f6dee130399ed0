-- A trash: what is deleted keeps its row and its files for some days, and can be restored.

-- When the meme was deleted; NULL for one that everybody sees.
ALTER TABLE memes ADD COLUMN deleted_at INTEGER;

-- The list goes down this index, so that no page has deleted memes to skip, however many there are.
CREATE INDEX memes_listed ON memes (seq) WHERE deleted_at IS NULL;

-- The trash, in the order in which it is emptied. What was purged leaves its id in deleted_memes.
CREATE INDEX memes_trash ON memes (deleted_at) WHERE deleted_at IS NOT NULL;
