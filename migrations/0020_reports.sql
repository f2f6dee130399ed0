-- What people report to the admins. Times are milliseconds since 1970 in UTC.

CREATE TABLE reports (
  -- The order of the queue. AUTOINCREMENT: a place in it stays what it was.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- 0 a meme, 1 a comment, 2 a person.
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  -- The id of what is reported, and a person's name: no references, so that they outlive it.
  subject BLOB NOT NULL CHECK (length(subject) = 16),
  username TEXT CHECK ((username IS NOT NULL) = (kind = 2)),
  -- NULL where nobody was signed in, or who was has left.
  reporter INTEGER REFERENCES users (seq) ON DELETE SET NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- 0 open, 1 resolved, 2 dismissed.
  status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
  -- What an admin wrote about it, for admins.
  note TEXT,
  -- The act that closed it; NULL where it is open.
  closing INTEGER REFERENCES audit (seq) CHECK ((closing IS NOT NULL) = (status <> 0))
) STRICT;

-- In their order, as every index ends with the row's number.
CREATE INDEX reports_by_status ON reports (status);
CREATE INDEX reports_of_subject ON reports (subject, status);
CREATE INDEX reports_of_reporter ON reports (reporter) WHERE reporter IS NOT NULL;

-- What somebody has reported already.
CREATE INDEX reports_open ON reports (reporter, subject) WHERE status = 0 AND reporter IS NOT NULL;

-- What was reported by those who were not signed in.
CREATE INDEX reports_of_nobody ON reports (subject) WHERE status = 0 AND reporter IS NULL;
