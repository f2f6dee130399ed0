-- Connections: destinations to which the server posts events. Times are milliseconds since 1970 in UTC.

CREATE TABLE connections (
  -- The order of the list.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  owner INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Whether it receives what everyone can see, reports and new accounts, instead of the owner's events. Only for admins.
  is_global INTEGER NOT NULL CHECK (is_global BETWEEN 0 AND 1),
  -- The key of the signatures, encrypted under a key that is not in the database.
  secret BLOB NOT NULL,
  -- The key before it, and until when deliveries are signed with both; NULL if there is none.
  old_secret BLOB,
  old_secret_until INTEGER CHECK ((old_secret_until IS NULL) = (old_secret IS NULL)),
  -- 0 running, 1 paused by the owner, 2 stopped by the server. No events are recorded for a stopped one.
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
  -- The failed attempts in a row.
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- When the next attempt may begin.
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  -- The numbers of events that were delivered and given up.
  delivered INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  -- NULL if there was none.
  last_delivery_at INTEGER,
  -- Why the last attempt failed, or why the connection is stopped; NULL if it is not.
  last_error TEXT,
  -- The server that delivers, and until when no other may; NULL if none does.
  sender BLOB,
  sender_until INTEGER CHECK ((sender_until IS NULL) = (sender IS NULL)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX connections_of_owner ON connections (owner, seq);

-- Which events a connection receives.
CREATE TABLE mappings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  connection INTEGER NOT NULL REFERENCES connections (seq) ON DELETE CASCADE,
  -- Whose events: the connection's owner, or 0 for all. It refers to nothing.
  person INTEGER NOT NULL,
  -- The sum of 1 meme.created, 2 meme.updated, 4 meme.deleted, 8 comment.created, 16 like.created, 32 follow.created,
  -- 64 report.created, 128 user.created.
  events INTEGER NOT NULL CHECK (events BETWEEN 1 AND 255),
  -- Only events of memes by this author; NULL for any.
  author INTEGER REFERENCES users (seq) ON DELETE CASCADE,
  -- Only events of memes with this visibility; NULL for any.
  visibility INTEGER CHECK (visibility BETWEEN 0 AND 2),
  -- 0 JSON, 1 Slack, 2 Discord.
  format INTEGER NOT NULL CHECK (format BETWEEN 0 AND 2),
  -- The sum of bits for the parts of a meme; NULL for all.
  fields INTEGER CHECK (fields >= 0),
  -- While all memes are sent again: the `memes.seq` of the last one that was recorded, and of the last one to send.
  reloaded INTEGER,
  reload_until INTEGER CHECK ((reload_until IS NULL) = (reloaded IS NULL)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX mappings_of_connection ON mappings (connection, seq);
CREATE INDEX mappings_of_person ON mappings (person);
CREATE INDEX mappings_of_author ON mappings (author) WHERE author IS NOT NULL;
CREATE INDEX mappings_reloading ON mappings (connection) WHERE reloaded IS NOT NULL;

-- Events that wait for their delivery. Triggers write them in the transaction of the change.
CREATE TABLE events (
  -- The order of deliveries. The rows of one subject are in the order of the commits.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The ID that receivers see, random, because numbers repeat after a restore.
  id BLOB NOT NULL CHECK (length(id) = 16),
  connection INTEGER NOT NULL REFERENCES connections (seq) ON DELETE CASCADE,
  mapping INTEGER NOT NULL REFERENCES mappings (seq) ON DELETE CASCADE,
  -- The bit of `mappings.events`: 0 meme.created to 7 user.created.
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 7),
  -- The ID of a meme, person or report. Its events are delivered in order.
  subject BLOB NOT NULL CHECK (length(subject) = 16),
  -- The ID of the comment.
  item BLOB CHECK (length(item) = 16),
  -- The `users.seq` of the person who did it; NULL if unknown. It refers to nothing.
  actor INTEGER,
  is_reload INTEGER NOT NULL DEFAULT 0 CHECK (is_reload BETWEEN 0 AND 1),
  happened_at INTEGER NOT NULL,
  -- How often the receiver refused it.
  refusals INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX events_of_connection ON events (connection, seq);
CREATE INDEX events_of_mapping ON events (mapping);
CREATE INDEX events_by_time ON events (happened_at);
-- The refused events, which the later ones of their subject wait for.
CREATE INDEX events_refused ON events (connection, subject, seq) WHERE refusals > 0;

-- The log of attempts. Only the last ones of each connection are kept.
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  connection INTEGER NOT NULL REFERENCES connections (seq) ON DELETE CASCADE,
  -- The ID of the mapping, which may be deleted.
  mapping BLOB NOT NULL CHECK (length(mapping) = 16),
  -- The columns of `events`, to deliver it again.
  event BLOB NOT NULL CHECK (length(event) = 16),
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 7),
  subject BLOB NOT NULL CHECK (length(subject) = 16),
  item BLOB CHECK (length(item) = 16),
  actor INTEGER,
  -- 0 delivered, 1 failed, 2 given up.
  outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 2),
  -- NULL without a response.
  status INTEGER,
  error TEXT,
  head TEXT,
  milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
  attempted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX deliveries_of_connection ON deliveries (connection, seq);

-- The memes that match a mapping now.
CREATE VIEW wanted_memes (meme, mapping, connection, events) AS
SELECT memes.seq, mappings.seq, mappings.connection, mappings.events
FROM memes
JOIN mappings ON mappings.person IN (memes.author, 0)
JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
WHERE memes.deleted_at IS NULL
  AND (mappings.person > 0 OR memes.visibility = 0)
  AND (mappings.author IS NULL OR mappings.author = memes.author)
  AND (mappings.visibility IS NULL OR mappings.visibility = memes.visibility);

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
          AND (author IS NULL OR author = old.author) AND (visibility IS NULL OR visibility = old.visibility) AS matched,
        new.deleted_at IS NULL AND person IN (new.author, 0) AND (person > 0 OR new.visibility = 0)
          AND (author IS NULL OR author = new.author) AND (visibility IS NULL OR visibility = new.visibility) AS matches
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
    AND (mappings.visibility IS NULL OR mappings.visibility = old.visibility);
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

CREATE TRIGGER event_of_follow AFTER INSERT ON follows BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), mappings.connection, mappings.seq, 5, users.id, new.follower, new.created_at
  FROM users JOIN mappings ON mappings.person IN (new.followed, 0)
  JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
  WHERE users.seq = new.followed AND mappings.events & 32;
END;

CREATE TRIGGER event_of_report AFTER INSERT ON reports BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), mappings.connection, mappings.seq, 6, new.id, new.reporter, new.created_at
  FROM mappings JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
  WHERE mappings.person = 0 AND mappings.events & 64;
END;

CREATE TRIGGER event_of_user AFTER INSERT ON users BEGIN
  INSERT INTO events (id, connection, mapping, kind, subject, actor, happened_at)
  SELECT randomblob(16), mappings.connection, mappings.seq, 7, new.id, new.seq, new.created_at
  FROM mappings JOIN connections ON connections.seq = mappings.connection AND connections.state < 2
  WHERE mappings.person = 0 AND mappings.events & 128;
END;
