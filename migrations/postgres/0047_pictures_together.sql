-- compatible from 46
-- The pictures of a meme are inserted and deleted together. Their bytes are now counted once for each statement, not for each
-- row: one update of their owner's row instead of four. Reads of pictures go on, because replacing a trigger only excludes
-- writers.

CREATE OR REPLACE FUNCTION picture_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storing (owner, bytes)
  SELECT memes.author, CAST(sum(added.byte_count) AS bigint)
  FROM added JOIN memes ON memes.seq = added.meme GROUP BY memes.author ORDER BY memes.author;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER picture_stored AFTER INSERT ON pictures REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION picture_stored();

CREATE OR REPLACE FUNCTION picture_not_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO storing (owner, bytes)
  SELECT memes.author, CAST(-sum(removed.byte_count) AS bigint)
  FROM removed JOIN memes ON memes.seq = removed.meme GROUP BY memes.author ORDER BY memes.author;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER picture_not_stored AFTER DELETE ON pictures REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION picture_not_stored();

CREATE OR REPLACE FUNCTION totals_picture_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO totals_changes (what, by)
  SELECT 3, CAST(sum(byte_count) AS bigint) FROM added HAVING count(*) > 0
  UNION ALL SELECT CASE role WHEN 0 THEN 10 ELSE 11 END, byte_count FROM added WHERE role IN (0, 1);
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER totals_picture_added AFTER INSERT ON pictures REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION totals_picture_added();

CREATE OR REPLACE FUNCTION totals_picture_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO totals_changes (what, by)
  SELECT 3, CAST(-sum(byte_count) AS bigint) FROM removed HAVING count(*) > 0
  UNION ALL SELECT CASE role WHEN 0 THEN 10 ELSE 11 END, -byte_count FROM removed WHERE role IN (0, 1);
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER totals_picture_removed AFTER DELETE ON pictures REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION totals_picture_removed();
