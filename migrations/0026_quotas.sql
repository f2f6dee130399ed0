-- How many bytes each account has stored, and how many are nobody's: pictures of memes, also of those in the trash, templates, and
-- uploads, whole or not. Avatars and derived pictures have bounds of their own and are not among them.

ALTER TABLE users ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN anonymous_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE users SET stored_bytes =
  (SELECT coalesce(sum(byte_count), 0) FROM memes JOIN pictures ON pictures.meme = memes.seq
    WHERE memes.author = users.seq)
  + (SELECT coalesce(sum(byte_count + thumbnail_byte_count), 0) FROM templates WHERE author = users.seq)
  + (SELECT coalesce(sum(byte_count), 0) FROM uploads WHERE author = users.seq)
  + (SELECT coalesce(sum(received), 0) FROM unfinished_uploads WHERE author = users.seq);

UPDATE totals SET anonymous_bytes =
  picture_bytes + template_bytes + upload_bytes + unfinished_upload_bytes
  - (SELECT coalesce(sum(stored_bytes), 0) FROM users);

-- What the limits are where no setting says so. They are chosen when a server first starts, and stay.
CREATE TABLE storage_limits (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Of each account, and of all that is nobody's; NULL is no limit.
  account_bytes INTEGER,
  anonymous_bytes INTEGER
) STRICT;

-- Takes bytes that an owner has stored, or stored no more: `INSERT INTO storing VALUES (owner, bytes)`. Nobody is NULL.
CREATE VIEW storing (owner, bytes) AS SELECT NULL, NULL WHERE 0;

CREATE TRIGGER bytes_stored INSTEAD OF INSERT ON storing BEGIN
  UPDATE users SET stored_bytes = stored_bytes + new.bytes WHERE seq = new.owner;
  UPDATE totals SET anonymous_bytes = anonymous_bytes + new.bytes WHERE id = 1 AND new.owner IS NULL;
END;

CREATE TRIGGER picture_stored AFTER INSERT ON pictures BEGIN
  INSERT INTO storing SELECT author, new.byte_count FROM memes WHERE seq = new.meme;
END;

CREATE TRIGGER picture_not_stored AFTER DELETE ON pictures BEGIN
  INSERT INTO storing SELECT author, -old.byte_count FROM memes WHERE seq = old.meme;
END;

CREATE TRIGGER picture_stored_anew AFTER UPDATE OF byte_count ON pictures BEGIN
  INSERT INTO storing SELECT author, new.byte_count - old.byte_count FROM memes WHERE seq = new.meme;
END;

CREATE TRIGGER meme_stored_by_another AFTER UPDATE OF author ON memes WHEN new.author IS NOT old.author BEGIN
  INSERT INTO storing SELECT old.author, -coalesce(sum(byte_count), 0) FROM pictures WHERE meme = new.seq;
  INSERT INTO storing SELECT new.author, coalesce(sum(byte_count), 0) FROM pictures WHERE meme = new.seq;
END;

CREATE TRIGGER template_stored AFTER INSERT ON templates BEGIN
  INSERT INTO storing VALUES (new.author, new.byte_count + new.thumbnail_byte_count);
END;

CREATE TRIGGER template_not_stored AFTER DELETE ON templates BEGIN
  INSERT INTO storing VALUES (old.author, -(old.byte_count + old.thumbnail_byte_count));
END;

CREATE TRIGGER template_stored_anew AFTER UPDATE OF author, byte_count, thumbnail_byte_count ON templates BEGIN
  INSERT INTO storing VALUES
    (old.author, -(old.byte_count + old.thumbnail_byte_count)),
    (new.author, new.byte_count + new.thumbnail_byte_count);
END;

CREATE TRIGGER upload_stored AFTER INSERT ON uploads BEGIN
  INSERT INTO storing VALUES (new.author, new.byte_count);
END;

CREATE TRIGGER upload_not_stored AFTER DELETE ON uploads BEGIN
  INSERT INTO storing VALUES (old.author, -old.byte_count);
END;

CREATE TRIGGER upload_stored_anew AFTER UPDATE OF author, byte_count ON uploads BEGIN
  INSERT INTO storing VALUES (old.author, -old.byte_count), (new.author, new.byte_count);
END;

CREATE TRIGGER unfinished_upload_stored AFTER INSERT ON unfinished_uploads BEGIN
  INSERT INTO storing VALUES (new.author, new.received);
END;

CREATE TRIGGER unfinished_upload_stored_anew AFTER UPDATE OF received, author ON unfinished_uploads BEGIN
  INSERT INTO storing VALUES (old.author, -old.received), (new.author, new.received);
END;

CREATE TRIGGER unfinished_upload_not_stored AFTER DELETE ON unfinished_uploads BEGIN
  INSERT INTO storing VALUES (old.author, -old.received);
END;

-- Templates that are nobody's, which admins can delete all at once.
CREATE INDEX templates_of_nobody ON templates (created_at) WHERE author IS NULL;
