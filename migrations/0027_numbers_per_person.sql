-- Changes and notifications are numbered for each account, no longer for all accounts together.
--
-- A number for everyone is one row that all writers wait for if there are several, and it shows each user how much the
-- others do. An account's row has its own counters instead: a writer holds that row until its commit is visible, so an
-- account's numbers are in the order of its commits.
--
-- Every counter begins at the highest number so far. The numbers that clients know therefore stay valid, and the next
-- ones are above them.

-- The number of the account's newest change.
ALTER TABLE users ADD COLUMN last_change INTEGER NOT NULL DEFAULT 0;
-- The place of the account's newest notification.
ALTER TABLE users ADD COLUMN last_notified INTEGER NOT NULL DEFAULT 0;

-- The sequence still has the highest number if the newest changes were deleted. In a damaged database it may be missing.
UPDATE users SET
  last_change = (
    SELECT coalesce(max(number), 0) FROM (
      SELECT seq AS number FROM sqlite_sequence WHERE name = 'changes'
      UNION ALL SELECT number FROM changes
      UNION ALL SELECT pruned_changes FROM users) AS numbers),
  last_notified = (
    SELECT coalesce(max(place), 0) FROM (
      SELECT notified AS place FROM totals
      UNION ALL SELECT place FROM notifications) AS places);

-- Changes. SQLite cannot change a primary key, so the table is made again with its rows.

DROP TRIGGER change_of_new;
DROP TRIGGER change_of_old;
DROP TRIGGER changes_of_nobody;
DROP TRIGGER change_pruned;

-- The newest change of each meme of an account. The current state of the meme shows whether it was made, edited or deleted.
-- Rows refer to nothing: the row of a deleted meme outlives it, and a deleted account takes any number of rows with it.
CREATE TABLE new_changes (
  -- The `users.seq` of the meme's author.
  author INTEGER NOT NULL,
  -- The order in which the account's changes were committed. Never reused: `users.last_change` only grows.
  number INTEGER NOT NULL,
  -- The meme's ID.
  meme BLOB NOT NULL UNIQUE CHECK (length(meme) = 16),
  -- When the meme was deleted; NULL if it exists.
  deleted_at INTEGER,
  PRIMARY KEY (author, number)
) STRICT, WITHOUT ROWID;

INSERT INTO new_changes (author, number, meme, deleted_at)
SELECT author, number, meme, deleted_at FROM changes ORDER BY author, number;

DROP TABLE changes;
ALTER TABLE new_changes RENAME TO changes;

-- An account's changes in their order. Existing and deleted memes have separate indexes: a client with an empty copy scans no
-- deletions, and a new meme is written to only one of them.
CREATE INDEX changes_there ON changes (author, number) WHERE deleted_at IS NULL;
CREATE INDEX changes_deleted ON changes (author, number) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER change_of_new AFTER INSERT ON memes WHEN new.author IS NOT NULL BEGIN
  UPDATE users SET last_change = last_change + 1 WHERE seq = new.author;
  INSERT INTO changes (author, number, meme, deleted_at)
  SELECT seq, last_change, new.id, new.deleted_at FROM users WHERE seq = new.author;
END;

-- Every edit makes a version. The counts of a meme are in none of these columns.
CREATE TRIGGER change_of_old AFTER UPDATE OF version, author, visibility, deleted_at ON memes
WHEN new.author IS NOT NULL
  AND (new.version <> old.version OR new.author IS NOT old.author
    OR new.visibility <> old.visibility OR new.deleted_at IS NOT old.deleted_at)
BEGIN
  UPDATE users SET last_change = last_change + 1 WHERE seq = new.author;
  DELETE FROM changes WHERE meme = new.id;
  INSERT INTO changes (author, number, meme, deleted_at)
  SELECT seq, last_change, new.id, new.deleted_at FROM users WHERE seq = new.author;
END;

CREATE TRIGGER changes_of_nobody AFTER DELETE ON users BEGIN
  DELETE FROM changes WHERE author = old.seq;
END;

CREATE TRIGGER change_pruned AFTER DELETE ON deleted_memes BEGIN
  UPDATE users
  SET pruned_changes = max(pruned_changes, (SELECT number FROM changes WHERE meme = old.id))
  WHERE seq = (SELECT author FROM changes WHERE meme = old.id);
  DELETE FROM changes WHERE meme = old.id;
END;

-- Notifications, likewise.

DROP TRIGGER notification_added;
DROP TRIGGER event_told;
DROP TRIGGER event_not_told;
DROP TRIGGER event_taken_back;
DROP TRIGGER notifications_turned_off;

CREATE TABLE new_notifications (
  -- The order of the recipient's list, counted by `users.last_notified`. An event that joins an unread notification moves it
  -- to a new place, so a place shows what the recipient has seen. No place is used twice.
  place INTEGER NOT NULL,
  -- The recipient.
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  -- 0 likes, 1 comments, 2 follows.
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  meme INTEGER REFERENCES memes (seq) ON DELETE CASCADE CHECK ((meme IS NULL) = (kind = 2)),
  -- The numbers of the first and the last event, in `likes`, `comments` or `follows`. The notification is about the events of
  -- this meme, or of this recipient, from one to the other, except for the recipient's own.
  first_event INTEGER NOT NULL,
  last_event INTEGER NOT NULL CHECK (last_event >= first_event),
  -- How many of these events still exist.
  count INTEGER NOT NULL CHECK (count >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),
  PRIMARY KEY (user, place)
) STRICT, WITHOUT ROWID;

-- A row whose account or meme is missing is useless, and must not stop this migration.
INSERT INTO new_notifications (
  place, user, kind, meme, first_event, last_event, count, created_at, updated_at, is_read)
SELECT place, user, kind, meme, first_event, last_event, count, created_at, updated_at, is_read FROM notifications
WHERE user IN (SELECT seq FROM users) AND (meme IS NULL OR meme IN (SELECT seq FROM memes))
ORDER BY user, place;

-- The primary key has a recipient's notifications in their order, so this takes notifications_of_user with it.
DROP TABLE notifications;
ALTER TABLE new_notifications RENAME TO notifications;

-- The notification that the next event joins.
CREATE UNIQUE INDEX notifications_unread ON notifications (user, kind, coalesce(meme, 0)) WHERE NOT is_read;

-- The notification that contains an event.
CREATE INDEX notifications_of_event ON notifications (meme, kind, user, last_event, first_event);

-- The order in which they expire. Places of different recipients have no order.
CREATE INDEX notifications_by_time ON notifications (updated_at);

-- The newest thousand stay. An event that joins a notification is no insert, and costs nothing here.
CREATE TRIGGER notification_added AFTER INSERT ON notifications BEGIN
  DELETE FROM notifications
  WHERE user = new.user AND place < (
    SELECT place FROM notifications WHERE user = new.user ORDER BY place DESC LIMIT 1 OFFSET 999);
END;

-- `min` and `max` are for PostgreSQL, whose triggers are the same: there, an event may be added after one with a higher number.
CREATE TRIGGER event_told INSTEAD OF INSERT ON told
WHEN new.actor <> new.recipient AND NOT EXISTS (
  SELECT 1 FROM taken_back
  WHERE actor = new.actor AND kind = new.kind AND subject = coalesce(new.meme, new.recipient)
    AND at > new.at - 86400000)
BEGIN
  UPDATE users SET last_notified = last_notified + 1 WHERE seq = new.recipient;
  INSERT INTO notifications (
    place, user, kind, meme, first_event, last_event, count, created_at, updated_at)
  SELECT last_notified, seq, new.kind, new.meme, new.event, new.event, 1, new.at, new.at
  FROM users WHERE seq = new.recipient
  ON CONFLICT (user, kind, coalesce(meme, 0)) WHERE NOT is_read DO UPDATE
  SET place = excluded.place, first_event = min(first_event, excluded.first_event),
    last_event = max(last_event, excluded.last_event), count = count + 1, updated_at = excluded.updated_at;
END;

-- The event counts if there is an unread notification, but does not move it to the top.
CREATE TRIGGER event_not_told INSTEAD OF INSERT ON told
WHEN new.actor <> new.recipient AND EXISTS (
  SELECT 1 FROM taken_back
  WHERE actor = new.actor AND kind = new.kind AND subject = coalesce(new.meme, new.recipient)
    AND at > new.at - 86400000)
BEGIN
  UPDATE notifications
  SET first_event = min(first_event, new.event), last_event = max(last_event, new.event), count = count + 1
  WHERE user = new.recipient AND kind = new.kind AND coalesce(meme, 0) = coalesce(new.meme, 0)
    AND NOT is_read;
END;

-- Each comment is a new event, so nothing is remembered of comments. Nothing is remembered either if the recipient's account is
-- being deleted: then it must not matter which of its rows go first.
CREATE TRIGGER event_taken_back INSTEAD OF INSERT ON untold WHEN new.actor <> new.recipient BEGIN
  INSERT INTO taken_back (actor, kind, subject, at)
  SELECT new.actor, new.kind, coalesce(new.meme, new.recipient), new.at FROM notifications
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event AND is_read AND new.kind <> 1
    AND EXISTS (SELECT 1 FROM users WHERE seq = new.recipient)
  ON CONFLICT (actor, kind, subject) DO UPDATE SET at = excluded.at;
  UPDATE notifications SET count = count - 1
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event;
  DELETE FROM notifications
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event AND count = 0;
END;

-- If a user turns off a kind of notification, the unread one of that kind becomes read, so no later event joins it. Settings are
-- always written as a whole: by INSERT OR REPLACE, or by ON CONFLICT DO UPDATE.
CREATE TRIGGER notifications_turned_off AFTER INSERT ON settings BEGIN
  UPDATE notifications SET is_read = 1
  WHERE user = new.user AND NOT is_read
    AND NOT CASE kind WHEN 0 THEN new.notify_likes WHEN 1 THEN new.notify_comments
      ELSE new.notify_follows END;
END;

CREATE TRIGGER notifications_turned_off_again AFTER UPDATE ON settings BEGIN
  UPDATE notifications SET is_read = 1
  WHERE user = new.user AND NOT is_read
    AND NOT CASE kind WHEN 0 THEN new.notify_likes WHEN 1 THEN new.notify_comments
      ELSE new.notify_follows END;
END;

-- The counters of the recipients replace it.
ALTER TABLE totals DROP COLUMN notified;
