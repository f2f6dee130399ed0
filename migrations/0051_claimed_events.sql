-- A claimed meme begins to match. Without an author, it neither matched nor did not: `matched` was NULL.
DROP TRIGGER event_of_meme;

-- A meme that begins or ceases to match a mapping is created or deleted for its receiver.
CREATE TRIGGER event_of_meme AFTER UPDATE OF version, author, visibility, deleted_at ON memes
WHEN old.deleted_at IS NULL OR new.deleted_at IS NULL BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), m.connection, m.seq, m.kind, new.id, new.author,
    max(new.updated_at, coalesce(old.deleted_at, 0), coalesce(new.deleted_at, 0))
  FROM (
    SELECT mappings.connection, mappings.seq, mappings.events,
      CASE WHEN matched IS NOT TRUE THEN 0 WHEN matches THEN 1 ELSE 2 END AS kind
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
    WHERE matched IS TRUE OR matches IS TRUE) AS m
  WHERE m.events & (1 << m.kind) AND (m.kind <> 1 OR new.version <> old.version);
END;
