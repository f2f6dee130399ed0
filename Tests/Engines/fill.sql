-- Fills an empty, migrated PostgreSQL database with rows for the tests of plans and for script/bench: `fill.memes` memes
-- with 4 pictures each, and what belongs to them. Counts are right, but pictures are a few bytes that nothing can decode.
-- Needs a superuser:
--
--     psql -c "SET fill.memes = 100000" -f Tests/Engines/fill.sql
--
-- Account 1 follows 1,000 people, is followed by everyone and blocks no one. Account 2 blocks 300 people. Account 3 made a
-- quarter of the memes. Meme 1 is liked by everyone, and meme 2 has comments by everyone. Every fiftieth meme is in the
-- trash. Every caption has the word "such", every second one "wow", every tenth one "doge"; the first hundred have
-- "ancient", and 200 share each "no…".

SET client_min_messages = warning;
-- No triggers and no checks of references: millions of rows in minutes.
SET session_replication_role = replica;
SET synchronous_commit = off;

CREATE TEMPORARY TABLE size AS
SELECT memes, least(greatest(memes / 50, 2000), 10000) AS people, 1700000000000::bigint AS start
FROM (SELECT current_setting('fill.memes')::bigint AS memes) AS wanted;

-- A number that looks random and is below `most`.
CREATE FUNCTION pg_temp.some(salt bigint, number bigint, most bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT ((number * 2654435761 + salt * 40503) % 4294967296 * 1103515245 + 12345) % 2147483648 / 64 % most
$$;

-- An ID: the kind of the thing, and its number.
CREATE FUNCTION pg_temp.identity(kind bigint, number bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT int8send(kind) || int8send(number)
$$;

INSERT INTO users (seq, id, username, email, display_name, password, password_changed_at, created_at)
SELECT n, pg_temp.identity(1, n), 'person_' || n, 'person_' || n || '@example.org',
  'Name' || n % 100 || ' Family' || n, '$argon2id$', start, start + n
FROM size, generate_series(1, people) AS n;

INSERT INTO user_words (kind, word, "user")
SELECT 0, username, seq FROM users
UNION ALL SELECT 1, lower(split_part(display_name, ' ', part)), seq FROM users, generate_series(1, 2) AS part;

INSERT INTO sessions (token, id, "user", created_at, last_used_at)
SELECT sha256(pg_temp.identity(3, n)), pg_temp.identity(4, n), 1 + n % people, start, start + n
FROM size, generate_series(1, 2 * people) AS n;

-- Memes: a quarter by account 3, and most of every tenth one without an author.
INSERT INTO memes (seq, id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit,
  draft_digest, deleted_at, author, visibility, like_count, favorite_count, comment_count, popularity)
SELECT n, pg_temp.identity(2, n), 1, start + n * 1000, start + n * 1000,
  'such ' || CASE WHEN n % 2 = 0 THEN 'wow ' ELSE '' END || CASE WHEN n % 10 = 0 THEN 'doge' ELSE 'cat' END,
  'no' || n % greatest(memes / 200, 1) || CASE WHEN n <= 100 THEN ' ancient' ELSE '' END, 'a meme', 16777215, 0, 0.11, 0.14,
  '[]', sha256(pg_temp.identity(2, n)), CASE WHEN n % 50 = 0 THEN start + n * 1000 END,
  CASE WHEN n % 4 = 1 THEN 3 WHEN n % 10 <> 3 THEN 1 + pg_temp.some(1, n, people) END,
  CASE WHEN n % 10 = 3 AND n % 4 <> 1 OR n % 20 NOT IN (7, 9) THEN 0 ELSE 1 + n / 20 % 2 END,
  CASE n WHEN 1 THEN people ELSE 2 END, 1, CASE n WHEN 1 THEN 0 WHEN 2 THEN people ELSE 1 END,
  popularity_of(start + n * 1000, CASE n WHEN 1 THEN people ELSE 2 END)
FROM size, generate_series(1, memes) AS n;

INSERT INTO blobs (id, bytes)
SELECT n, '\x00' FROM size, generate_series(1, memes * 4) AS n;

INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
SELECT 1 + n / 4, n % 4, 'jpeg', 640, 480, 1, sha256('\x00'), n + 1 FROM size, generate_series(0, memes * 4 - 1) AS n;

INSERT INTO meme_words (word, meme, author, place)
SELECT DISTINCT ON (word, seq) word, seq, author, 0
FROM memes, regexp_split_to_table(trim(top || ' ' || bottom), ' +') AS word;

INSERT INTO changes (author, number, meme, deleted_at)
SELECT author, row_number() OVER (PARTITION BY author ORDER BY seq), id, deleted_at FROM memes WHERE author IS NOT NULL;

-- Each person follows about ten people.
INSERT INTO follows (seq, follower, followed, created_at)
SELECT row_number() OVER (), follower, followed, start FROM (
  SELECT n AS follower, 1 AS followed FROM size, generate_series(2, people) AS n
  UNION SELECT 1, n FROM size, generate_series(2, 1001) AS n
  UNION SELECT n, 1 + pg_temp.some(k, n, people) FROM size, generate_series(2, people) AS n, generate_series(1, 10) AS k
) AS pairs, size WHERE follower <> followed;

INSERT INTO blocks (blocker, blocked, created_at)
SELECT 2, n, start FROM size, generate_series(201, 500) AS n
UNION ALL SELECT n, n + 1, start FROM size, generate_series(600, 700) AS n;

INSERT INTO likes (meme, "user", created_at)
SELECT 1, n, start FROM size, generate_series(1, people) AS n;
INSERT INTO likes (meme, "user", created_at)
SELECT n, 1 + (pg_temp.some(2, n, people) + k * 7) % people, start + n FROM size, generate_series(2, memes) AS n,
  generate_series(1, 2) AS k;

INSERT INTO favorites (meme, "user", created_at)
SELECT n, CASE WHEN n % 3 = 0 THEN 1 ELSE 1 + pg_temp.some(4, n, people) END, start + n
FROM size, generate_series(1, memes) AS n;

INSERT INTO comments (id, meme, "user", created_at, text)
SELECT pg_temp.identity(5, n), n, 1 + pg_temp.some(3, n, people), start + n, 'very meme'
FROM size, generate_series(3, memes) AS n
UNION ALL SELECT pg_temp.identity(6, n), 2, n, start + n, 'very meme' FROM size, generate_series(1, people) AS n;

-- Of the likes of the memes of each person: the newest few are unread.
INSERT INTO notifications (place, "user", kind, meme, first_event, last_event, count, created_at, updated_at, is_read)
SELECT row_number() OVER (PARTITION BY author ORDER BY seq), author, 0, seq, first, last, count, created_at, created_at,
  seq < size.memes - 500
FROM size, memes CROSS JOIN LATERAL (
  SELECT min(likes.seq) AS first, max(likes.seq) AS last, count(*) AS count FROM likes WHERE likes.meme = memes.seq) AS events
WHERE author IS NOT NULL AND deleted_at IS NULL;
-- Account 1 has many.
INSERT INTO notifications (place, "user", kind, meme, first_event, last_event, count, created_at, updated_at, is_read)
SELECT 100000 + n, 1, 1, n, 1, 1, 1, start, start, TRUE FROM size, generate_series(1, 2000) AS n;

INSERT INTO taken_back (actor, kind, subject, at)
SELECT 1 + n % people, 0, n, start + n FROM size, generate_series(1, 3000) AS n;

INSERT INTO audit (at, actor, act, subject, details)
SELECT start + n, 'token', 'meme.delete', 'nothing', '{}' FROM size, generate_series(1, 3000) AS n;

INSERT INTO reports (id, kind, subject, username, reporter, reason, created_at, status, closing)
SELECT pg_temp.identity(7, n), n % 3, pg_temp.identity(CASE n % 3 WHEN 0 THEN 2 WHEN 1 THEN 5 ELSE 1 END,
  CASE n % 7 WHEN 0 THEN 3 ELSE 1 + n % 1000 END), CASE n % 3 WHEN 2 THEN 'person_' || 1 + n % 1000 END,
  CASE WHEN n % 4 = 0 THEN NULL ELSE 1 + n % 20 END, 'spam', start + n, CASE WHEN n % 2 = 0 THEN 0 ELSE 1 END,
  CASE WHEN n % 2 = 1 THEN n END
FROM size, generate_series(1, 3000) AS n;

INSERT INTO deleted_memes (id, deleted_at, author)
SELECT pg_temp.identity(8, n), start + n, 1 + n % people FROM size, generate_series(1, 3000) AS n;
INSERT INTO changes (author, number, meme, deleted_at)
SELECT 1 + n % people, 1000000 + n, pg_temp.identity(8, n), start + n FROM size, generate_series(1, 3000) AS n;

INSERT INTO blobs (id, bytes)
SELECT memes * 4 + n, '\x00' FROM size, generate_series(1, 9000) AS n;

INSERT INTO templates (id, created_at, name, alt_text, format, width, height, byte_count, digest, blob, thumbnail_format,
  thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob, author)
SELECT pg_temp.identity(9, n), start + n, 'template ' || n, '', 'jpeg', 640, 480, 1, sha256('\x00'), memes * 4 + n,
  'jpeg', 64, 48, 1, sha256('\x00'), memes * 4 + 3000 + n, CASE WHEN n % 2 = 0 THEN 1 + n % 20 END
FROM size, generate_series(1, 3000) AS n;

INSERT INTO derived_pictures (meme, width, format, height, byte_count, digest, blob, last_use)
SELECT n, 320, 'webp', 240, 1, sha256('\x00'), memes * 4 + 6000 + n, n FROM size, generate_series(1, least(memes, 3000)) AS n;

INSERT INTO retries (key, request, made, answer, answered_at)
SELECT sha256(pg_temp.identity(10, n)), sha256('\x00'), pg_temp.identity(2, n), '\x00', start + n
FROM size, generate_series(1, 3000) AS n;

-- What triggers count.
UPDATE users SET
  public_memes = coalesce(mine.public, 0), friends_memes = coalesce(mine.friends, 0), private_memes = coalesce(mine.private, 0),
  stored_bytes = 4 * coalesce(mine.everything, 0) + (SELECT 2 * count(*) FROM templates WHERE author = users.seq),
  followers = (SELECT count(*) FROM follows WHERE followed = users.seq),
  following = (SELECT count(*) FROM follows WHERE follower = users.seq),
  last_change = 2000000, last_notified = 2000000
FROM (
  SELECT users.seq AS person, count(*) AS everything,
    count(*) FILTER (WHERE deleted_at IS NULL AND visibility = 0) AS public,
    count(*) FILTER (WHERE deleted_at IS NULL AND visibility = 1) AS friends,
    count(*) FILTER (WHERE deleted_at IS NULL AND visibility = 2) AS private
  FROM users LEFT JOIN memes ON memes.author = users.seq GROUP BY users.seq) AS mine
WHERE mine.person = users.seq;

UPDATE totals SET
  visible = memes - memes / 50, deleted = memes / 50, picture_bytes = 4 * memes, original_bytes = memes, image_bytes = memes,
  derived = 3000, derived_bytes = 3000, templates = 3000, template_bytes = 6000, likes = counted_likes,
  comments = counted_comments
FROM size, (SELECT count(*) AS counted_likes FROM likes) AS l, (SELECT count(*) AS counted_comments FROM comments) AS c;

INSERT INTO upload_days (day, memes)
SELECT created_at / 86400000, count(*) FROM memes GROUP BY created_at / 86400000;

UPDATE wordless SET memes_before = 1, users_before = 1;

-- The numbers were given by this script.
SELECT count(setval(pg_get_serial_sequence(name, 'seq'), greatest(most, 1))) FROM (
  SELECT 'users' AS name, max(seq) AS most FROM users UNION ALL SELECT 'memes', max(seq) FROM memes
  UNION ALL SELECT 'follows', max(seq) FROM follows) AS numbers;
SELECT setval(pg_get_serial_sequence('blobs', 'id'), max(id)) FROM blobs;

RESET session_replication_role;
ANALYZE;
