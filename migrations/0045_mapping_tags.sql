-- Only events of memes with this tag; NULL for any. `memes.tags` has each tag in quotes, and no tag has a quote.
ALTER TABLE mappings ADD COLUMN tag TEXT;

DROP TRIGGER event_of_new_meme;
DROP TRIGGER event_of_comment;
DROP TRIGGER event_of_like;
DROP TRIGGER event_of_meme;
DROP TRIGGER event_of_removed_meme;
DROP VIEW wanted_memes;

-- The memes that match a mapping now.
CREATE VIEW wanted_memes (meme, mapping, connection, events) AS
SELECT memes.seq, mappings.seq, mappings.connection, mappings.events
FROM memes
JOIN mappings ON mappings.person IN (memes.author, 0)
JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
WHERE memes.deleted_at IS NULL
  AND (mappings.person > 0 OR memes.visibility = 0)
  AND (mappings.author IS NULL OR mappings.author = memes.author)
  AND (mappings.visibility IS NULL OR mappings.visibility = memes.visibility)
  AND (mappings.tag IS NULL OR instr(memes.tags, '"' || mappings.tag || '"'));

CREATE TRIGGER event_of_new_meme AFTER INSERT ON memes WHEN new.deleted_at IS NULL BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), connection, mapping, 0, new.id, new.author, new.created_at
  FROM wanted_memes WHERE meme = new.seq AND events & 1;
END;

-- A meme that begins or ceases to match a mapping is created or deleted for its receiver.
CREATE TRIGGER event_of_meme AFTER UPDATE OF version, author, visibility, deleted_at ON memes
WHEN old.deleted_at IS NULL OR new.deleted_at IS NULL BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), m.connection, m.seq, m.kind, new.id, new.author,
    max(new.updated_at, coalesce(old.deleted_at, 0), coalesce(new.deleted_at, 0))
  FROM (
    SELECT mappings.connection, mappings.seq, mappings.events,
      CASE WHEN NOT matched THEN 0 WHEN matches THEN 1 ELSE 2 END AS kind
    FROM (
      SELECT mappings.*,
        old.deleted_at IS NULL AND person IN (old.author, 0) AND (person > 0 OR old.visibility = 0)
          AND (author IS NULL OR author = old.author) AND (visibility IS NULL OR visibility = old.visibility)
          AND (tag IS NULL OR instr(old.tags, '"' || tag || '"')) AS matched,
        new.deleted_at IS NULL AND person IN (new.author, 0) AND (person > 0 OR new.visibility = 0)
          AND (author IS NULL OR author = new.author) AND (visibility IS NULL OR visibility = new.visibility)
          AND (tag IS NULL OR instr(new.tags, '"' || tag || '"')) AS matches
      FROM mappings WHERE person IN (old.author, new.author, 0)) AS mappings
    JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
    WHERE coalesce(matched, 0) OR coalesce(matches, 0)) AS m
  WHERE m.events & (1 << m.kind) AND (m.kind <> 1 OR new.version <> old.version);
END;

-- A meme that is purged without having been in the trash.
CREATE TRIGGER event_of_removed_meme AFTER DELETE ON memes WHEN old.deleted_at IS NULL BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), mappings.connection, mappings.seq, 2, old.id, old.author, old.updated_at
  FROM mappings JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
  WHERE mappings.person IN (old.author, 0) AND mappings.events & 4
    AND (mappings.person > 0 OR old.visibility = 0)
    AND (mappings.author IS NULL OR mappings.author = old.author)
    AND (mappings.visibility IS NULL OR mappings.visibility = old.visibility)
    AND (mappings.tag IS NULL OR instr(old.tags, '"' || mappings.tag || '"'));
END;

CREATE TRIGGER event_of_comment AFTER INSERT ON comments BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, item, actor, happened_at)
  SELECT randomblob(16), connection, mapping, 3, memes.id, new.id, new.user, new.created_at
  FROM wanted_memes JOIN memes ON memes.seq = meme WHERE meme = new.meme AND events & 8;
END;

CREATE TRIGGER event_of_like AFTER INSERT ON likes BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), connection, mapping, 4, memes.id, new.user, new.created_at
  FROM wanted_memes JOIN memes ON memes.seq = meme WHERE meme = new.meme AND events & 16;
END;
