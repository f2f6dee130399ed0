-- Only events of memes with this tag; NULL for any. `memes.tags` has each tag in quotes, and no tag has a quote.
ALTER TABLE mappings ADD COLUMN tag text COLLATE "C";

-- The memes that match a mapping now.
CREATE OR REPLACE VIEW wanted_memes (meme, mapping, connection, events) AS
SELECT memes.seq, mappings.seq, mappings.connection, mappings.events
FROM memes
JOIN mappings ON mappings.person IN (memes.author, 0)
JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
WHERE memes.deleted_at IS NULL
  AND (mappings.person > 0 OR memes.visibility = 0)
  AND (mappings.author IS NULL OR mappings.author = memes.author)
  AND (mappings.visibility IS NULL OR mappings.visibility = memes.visibility)
  AND (mappings.tag IS NULL OR position('"' || mappings.tag || '"' IN memes.tags) > 0);

-- A meme that begins or ceases to match a mapping is created or deleted for its receiver.
CREATE OR REPLACE FUNCTION event_of_meme() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT uuid_send(gen_random_uuid()), m.connection, m.seq, m.kind, NEW.id, NEW.author,
    greatest(NEW.updated_at, OLD.deleted_at, NEW.deleted_at)
  FROM (
    SELECT mappings.connection, mappings.seq, mappings.events,
      CASE WHEN matched IS NOT TRUE THEN 0 WHEN matches THEN 1 ELSE 2 END AS kind
    FROM (
      SELECT mappings.*,
        OLD.deleted_at IS NULL AND person IN (OLD.author, 0) AND (person > 0 OR OLD.visibility = 0)
          AND (author IS NULL OR author = OLD.author) AND (visibility IS NULL OR visibility = OLD.visibility)
          AND (tag IS NULL OR position('"' || tag || '"' IN OLD.tags) > 0) AS matched,
        NEW.deleted_at IS NULL AND person IN (NEW.author, 0) AND (person > 0 OR NEW.visibility = 0)
          AND (author IS NULL OR author = NEW.author) AND (visibility IS NULL OR visibility = NEW.visibility)
          AND (tag IS NULL OR position('"' || tag || '"' IN NEW.tags) > 0) AS matches
      FROM mappings WHERE person IN (OLD.author, NEW.author, 0)) AS mappings
    JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
    WHERE matched OR matches) AS m
  WHERE m.events & (1 << CAST(m.kind AS int)) > 0 AND (m.kind <> 1 OR NEW.version <> OLD.version)
  FOR KEY SHARE;
  RETURN NULL;
END
$$;

-- A meme that is purged without having been in the trash.
CREATE OR REPLACE FUNCTION event_of_removed_meme() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT uuid_send(gen_random_uuid()), mappings.connection, mappings.seq, 2, OLD.id, OLD.author, OLD.updated_at
  FROM mappings JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
  WHERE mappings.person IN (OLD.author, 0) AND mappings.events & 4 > 0
    AND (mappings.person > 0 OR OLD.visibility = 0)
    AND (mappings.author IS NULL OR mappings.author = OLD.author)
    AND (mappings.visibility IS NULL OR mappings.visibility = OLD.visibility)
    AND (mappings.tag IS NULL OR position('"' || mappings.tag || '"' IN OLD.tags) > 0)
  FOR KEY SHARE;
  RETURN NULL;
END
$$;
