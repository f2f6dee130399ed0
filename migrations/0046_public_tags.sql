-- Whether everyone can see the meme, so that counts and lists of tags depend on nothing that is hidden.
ALTER TABLE meme_tags ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));

UPDATE meme_tags SET is_public = 1
WHERE meme IN (SELECT seq FROM memes WHERE visibility = 0 AND deleted_at IS NULL);

CREATE INDEX meme_tags_public ON meme_tags (tag, meme) WHERE is_public;
CREATE INDEX meme_tags_newest ON meme_tags (meme, tag) WHERE is_public;

CREATE TRIGGER visibility_of_tag AFTER INSERT ON meme_tags BEGIN
  UPDATE meme_tags SET is_public = 1
  WHERE tag = new.tag AND meme = new.meme
    AND EXISTS (SELECT 1 FROM memes WHERE seq = new.meme AND visibility = 0 AND deleted_at IS NULL);
END;

CREATE TRIGGER visibility_of_tags AFTER UPDATE OF visibility, deleted_at ON memes
WHEN new.visibility <> old.visibility OR new.deleted_at IS NOT old.deleted_at BEGIN
  UPDATE meme_tags SET is_public = (new.visibility = 0 AND new.deleted_at IS NULL) WHERE meme = new.seq;
END;
