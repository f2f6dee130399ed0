-- compatible from 45
-- Whether everyone can see the meme, so that counts and lists of tags depend on nothing that is hidden.
-- In the order in which writers lock the tables. Servers of the earlier version wait until the end.
LOCK TABLE memes IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE meme_tags ADD COLUMN is_public boolean NOT NULL DEFAULT FALSE;

CREATE FUNCTION visibility_of_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_public := EXISTS (SELECT 1 FROM memes WHERE seq = NEW.meme AND visibility = 0 AND deleted_at IS NULL);
  RETURN NEW;
END
$$;
CREATE TRIGGER visibility_of_tag BEFORE INSERT ON meme_tags FOR EACH ROW EXECUTE FUNCTION visibility_of_tag();

CREATE FUNCTION visibility_of_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE meme_tags SET is_public = (NEW.visibility = 0 AND NEW.deleted_at IS NULL) WHERE meme = NEW.seq;
  RETURN NULL;
END
$$;
CREATE TRIGGER visibility_of_tags AFTER UPDATE OF visibility, deleted_at ON memes FOR EACH ROW
WHEN (NEW.visibility <> OLD.visibility OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
EXECUTE FUNCTION visibility_of_tags();

UPDATE meme_tags SET is_public = TRUE
WHERE meme IN (SELECT seq FROM memes WHERE visibility = 0 AND deleted_at IS NULL);

CREATE INDEX meme_tags_public ON meme_tags (tag, meme) WHERE is_public;
CREATE INDEX meme_tags_newest ON meme_tags (meme, tag) WHERE is_public;
