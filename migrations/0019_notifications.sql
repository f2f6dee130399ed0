-- What people are told of: likes of their memes and comments on them, and who follows them. Times are milliseconds since 1970 in
-- UTC.

-- How often anybody was told of something, ever: the place of what was told last.
ALTER TABLE totals ADD COLUMN notified INTEGER NOT NULL DEFAULT 0;

CREATE TABLE notifications (
  -- The order of the list. What happens again before it was read joins what there is and brings it to a new place, so that a place
  -- tells what somebody has seen. None comes twice.
  place INTEGER PRIMARY KEY,
  -- Who is told.
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  -- 0 likes, 1 comments, 2 follows.
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  meme INTEGER REFERENCES memes (seq) ON DELETE CASCADE CHECK ((meme IS NULL) = (kind = 2)),
  -- The numbers of the first and the last event, in `likes`, `comments` or `follows`. Those of this meme, or of this person, from
  -- one to the other are what is told, but for the person's own.
  first_event INTEGER NOT NULL,
  last_event INTEGER NOT NULL CHECK (last_event >= first_event),
  -- How many of them there are still.
  count INTEGER NOT NULL CHECK (count >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1))
) STRICT;

-- A person's, in their order, as every index ends with the row's number.
CREATE INDEX notifications_of_user ON notifications (user);

-- What the next event joins.
CREATE UNIQUE INDEX notifications_unread ON notifications (user, kind, coalesce(meme, 0)) WHERE is_read = 0;

-- Where an event was told.
CREATE INDEX notifications_of_event ON notifications (meme, kind, user, last_event, first_event);

-- What was told, read and then taken back. Who does it again within a day is not told of again. Rows refer to nothing: who leaves takes
-- back any number of things, and what is over goes some at a time.
CREATE TABLE taken_back (
  actor INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  -- The number of the meme, or of whom the actor followed.
  subject INTEGER NOT NULL,
  -- When it was told.
  at INTEGER NOT NULL,
  PRIMARY KEY (actor, kind, subject)
) STRICT, WITHOUT ROWID;

-- Those that are over.
CREATE INDEX taken_back_by_time ON taken_back (at);

-- What is inserted here is told, or is told no more. Nothing is ever in them: SQLite has no procedures but triggers.
CREATE VIEW told (recipient, kind, meme, event, actor, at) AS
  SELECT NULL, NULL, NULL, NULL, NULL, NULL WHERE 0;
CREATE VIEW untold (recipient, kind, meme, event, actor, at) AS
  SELECT NULL, NULL, NULL, NULL, NULL, NULL WHERE 0;

-- The oldest gives way to the thousand behind it. What joins another one is no insert, and costs nothing here.
CREATE TRIGGER notification_added AFTER INSERT ON notifications BEGIN
  DELETE FROM notifications
  WHERE user = new.user AND place < (
    SELECT place FROM notifications WHERE user = new.user ORDER BY place DESC LIMIT 1 OFFSET 999);
END;

CREATE TRIGGER event_told INSTEAD OF INSERT ON told
WHEN new.actor <> new.recipient AND NOT EXISTS (
  SELECT 1 FROM taken_back
  WHERE actor = new.actor AND kind = new.kind AND subject = coalesce(new.meme, new.recipient)
    AND at > new.at - 86400000)
BEGIN
  UPDATE totals SET notified = notified + 1 WHERE id = 1;
  INSERT INTO notifications (
    place, user, kind, meme, first_event, last_event, count, created_at, updated_at)
  SELECT notified, new.recipient, new.kind, new.meme, new.event, new.event, 1, new.at, new.at
  FROM totals WHERE id = 1
  ON CONFLICT (user, kind, coalesce(meme, 0)) WHERE is_read = 0 DO UPDATE
  SET place = excluded.place, last_event = excluded.last_event, count = count + 1,
    updated_at = excluded.updated_at;
END;

-- It counts where others are told, without making them news.
CREATE TRIGGER event_not_told INSTEAD OF INSERT ON told
WHEN new.actor <> new.recipient AND EXISTS (
  SELECT 1 FROM taken_back
  WHERE actor = new.actor AND kind = new.kind AND subject = coalesce(new.meme, new.recipient)
    AND at > new.at - 86400000)
BEGIN
  UPDATE notifications SET last_event = new.event, count = count + 1
  WHERE user = new.recipient AND kind = new.kind AND coalesce(meme, 0) = coalesce(new.meme, 0)
    AND is_read = 0;
END;

-- Each comment is another one, so that of comments nothing is remembered.
CREATE TRIGGER event_taken_back INSTEAD OF INSERT ON untold WHEN new.actor <> new.recipient BEGIN
  INSERT INTO taken_back (actor, kind, subject, at)
  SELECT new.actor, new.kind, coalesce(new.meme, new.recipient), new.at FROM notifications
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event AND is_read = 1 AND new.kind <> 1
  ON CONFLICT (actor, kind, subject) DO UPDATE SET at = excluded.at;
  UPDATE notifications SET count = count - 1
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event;
  DELETE FROM notifications
  WHERE meme IS new.meme AND kind = new.kind AND user = new.recipient AND last_event >= new.event
    AND first_event <= new.event AND count = 0;
END;

-- Where somebody chose nothing they are told of everything.
CREATE TRIGGER like_told AFTER INSERT ON likes BEGIN
  INSERT INTO told
  SELECT author, 0, new.meme, new.seq, new.user, new.created_at FROM memes
  WHERE seq = new.meme AND coalesce((SELECT notify_likes FROM settings WHERE user = author), 1);
END;

CREATE TRIGGER like_untold AFTER DELETE ON likes BEGIN
  INSERT INTO untold
  SELECT author, 0, old.meme, old.seq, old.user, old.created_at FROM memes WHERE seq = old.meme;
END;

CREATE TRIGGER comment_told AFTER INSERT ON comments BEGIN
  INSERT INTO told
  SELECT author, 1, new.meme, new.seq, new.user, new.created_at FROM memes
  WHERE seq = new.meme AND coalesce((SELECT notify_comments FROM settings WHERE user = author), 1);
END;

CREATE TRIGGER comment_untold AFTER UPDATE OF deleted_at ON comments
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  INSERT INTO untold
  SELECT author, 1, old.meme, old.seq, old.user, old.created_at FROM memes WHERE seq = old.meme;
END;

CREATE TRIGGER comment_removed_untold AFTER DELETE ON comments WHEN old.deleted_at IS NULL BEGIN
  INSERT INTO untold
  SELECT author, 1, old.meme, old.seq, old.user, old.created_at FROM memes WHERE seq = old.meme;
END;

CREATE TRIGGER follow_told AFTER INSERT ON follows
WHEN coalesce((SELECT notify_follows FROM settings WHERE user = new.followed), 1) BEGIN
  INSERT INTO told
  VALUES (new.followed, 2, NULL, new.seq, new.follower, new.created_at);
END;

CREATE TRIGGER follow_untold AFTER DELETE ON follows BEGIN
  INSERT INTO untold
  VALUES (old.followed, 2, NULL, old.seq, old.follower, old.created_at);
END;

-- Who wants to hear of something no more has nothing unread of it, so that nothing they were not told of ever joins that. Settings are
-- always written as a whole.
CREATE TRIGGER notifications_turned_off AFTER INSERT ON settings BEGIN
  UPDATE notifications SET is_read = 1
  WHERE user = new.user AND is_read = 0
    AND CASE kind WHEN 0 THEN new.notify_likes WHEN 1 THEN new.notify_comments
      ELSE new.notify_follows END = 0;
END;
