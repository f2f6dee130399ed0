-- compatible from 46
-- PostgreSQL keeps the expression of a generated column as a text, and parses it again for each statement that changes a row. That
-- of popularity is 35 kilobytes long, a quarter of what a like costs. A trigger now computes the column. Its values stay, and no
-- row is written.

ALTER TABLE memes ALTER COLUMN popularity DROP EXPRESSION;

-- The creation time, plus 12 hours (43,200,000 ms) for each doubling of 1 + likes: 12 h × log2(1 + likes), linear between two
-- doublings, as in SQLite. It stays the same beyond 1,048,575 likes.
CREATE FUNCTION popularity_of(created_at bigint, likes bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  votes bigint := 1 + least(likes, 1048575);
  doubled bigint := 1;
  doublings bigint := 0;
BEGIN
  WHILE 2 * doubled <= votes LOOP
    doubled := 2 * doubled;
    doublings := doublings + 1;
  END LOOP;
  RETURN created_at + doublings * 43200000 + (votes - doubled) * 43200000 / doubled;
END
$$;

CREATE FUNCTION popularity_computed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.popularity := popularity_of(NEW.created_at, NEW.like_count);
  RETURN NEW;
END
$$;
CREATE TRIGGER popularity_of_new BEFORE INSERT ON memes FOR EACH ROW EXECUTE FUNCTION popularity_computed();
CREATE TRIGGER popularity_of_old BEFORE UPDATE OF created_at, like_count ON memes FOR EACH ROW
EXECUTE FUNCTION popularity_computed();

-- The functions below lock by a statement of their own, because a call of lock_author or lock_people costs more than the lock.

CREATE OR REPLACE FUNCTION like_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE seq = (SELECT author FROM memes WHERE seq = NEW.meme) FOR NO KEY UPDATE;
  UPDATE memes SET like_count = like_count + 1 WHERE seq = NEW.meme;
  INSERT INTO totals_changes (what, by) VALUES (12, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION like_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE seq = (SELECT author FROM memes WHERE seq = OLD.meme) FOR NO KEY UPDATE;
  UPDATE memes SET like_count = like_count - 1 WHERE seq = OLD.meme;
  INSERT INTO totals_changes (what, by) VALUES (12, -1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION event_not_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.actor = NEW.recipient OR NEW.recipient IS NULL THEN RETURN NEW; END IF;
  PERFORM 1 FROM users WHERE seq = NEW.recipient FOR NO KEY UPDATE;
  IF was_taken_back(NEW.actor, NEW.kind, coalesce(NEW.meme, NEW.recipient), NEW.at) THEN
    UPDATE notifications SET
      first_event = least(first_event, NEW.event), last_event = greatest(last_event, NEW.event), count = count + 1
    WHERE "user" = NEW.recipient AND kind = NEW.kind AND coalesce(meme, 0) = coalesce(NEW.meme, 0) AND NOT is_read;
  END IF;
  RETURN NEW;
END
$$;

-- Its lock was a second one: event_not_told is the first trigger of the view, by its name, and has the recipient's row locked.
CREATE OR REPLACE FUNCTION event_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  new_place bigint;
BEGIN
  IF NEW.actor = NEW.recipient OR NEW.recipient IS NULL THEN RETURN NEW; END IF;
  IF was_taken_back(NEW.actor, NEW.kind, coalesce(NEW.meme, NEW.recipient), NEW.at) THEN RETURN NEW; END IF;
  UPDATE users SET last_notified = last_notified + 1 WHERE seq = NEW.recipient RETURNING last_notified INTO new_place;
  IF NOT FOUND THEN RETURN NEW; END IF;
  INSERT INTO notifications (place, "user", kind, meme, first_event, last_event, count, created_at, updated_at)
  VALUES (new_place, NEW.recipient, NEW.kind, NEW.meme, NEW.event, NEW.event, 1, NEW.at, NEW.at)
  ON CONFLICT ("user", kind, (coalesce(meme, 0))) WHERE NOT is_read DO UPDATE SET
    place = excluded.place, first_event = least(notifications.first_event, excluded.first_event),
    last_event = greatest(notifications.last_event, excluded.last_event), count = notifications.count + 1,
    updated_at = excluded.updated_at;
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION event_taken_back() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found_place bigint;
  found_count bigint;
  was_read boolean;
BEGIN
  IF NEW.actor = NEW.recipient OR NEW.recipient IS NULL THEN RETURN NEW; END IF;
  PERFORM 1 FROM users WHERE seq = NEW.recipient FOR NO KEY UPDATE;
  -- No index serves IS NOT DISTINCT FROM, so follows, which have no meme, are a case of their own.
  FOR found_place, found_count, was_read IN
    SELECT place, count, is_read FROM notifications
    WHERE NEW.meme IS NOT NULL AND meme = NEW.meme AND kind = NEW.kind AND "user" = NEW.recipient
      AND last_event >= NEW.event AND first_event <= NEW.event
    UNION ALL SELECT place, count, is_read FROM notifications
    WHERE NEW.meme IS NULL AND meme IS NULL AND kind = NEW.kind AND "user" = NEW.recipient
      AND last_event >= NEW.event AND first_event <= NEW.event
  LOOP
    IF was_read AND NEW.kind <> 1 AND EXISTS (SELECT 1 FROM users WHERE seq = NEW.recipient) THEN
      INSERT INTO taken_back (actor, kind, subject, at)
      VALUES (NEW.actor, NEW.kind, coalesce(NEW.meme, NEW.recipient), NEW.at)
      ON CONFLICT (actor, kind, subject) DO UPDATE SET at = excluded.at;
    END IF;
    IF found_count = 1 THEN
      DELETE FROM notifications WHERE "user" = NEW.recipient AND place = found_place;
    ELSE
      UPDATE notifications SET count = count - 1 WHERE "user" = NEW.recipient AND place = found_place;
    END IF;
  END LOOP;
  RETURN NEW;
END
$$;
