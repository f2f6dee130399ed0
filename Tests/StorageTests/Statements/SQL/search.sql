-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: memes that match words, newest first
SELECT -rowid FROM meme_words
WHERE meme_words MATCH ?1 AND rowid > -?2
ORDER BY rowid ASC LIMIT ?3;

-- name: memes that match words, oldest first
SELECT -rowid FROM meme_words
WHERE meme_words MATCH ?1 AND rowid < -?2
ORDER BY rowid DESC LIMIT ?3;

-- name: popular memes
SELECT seq, popularity FROM memes INDEXED BY memes_popular
WHERE deleted_at IS NULL AND visibility = 0 AND (popularity, seq) < (?1, ?2)
ORDER BY popularity DESC, seq DESC LIMIT ?3;

-- name: people with the prefix of a word
SELECT word, user FROM user_words
WHERE kind = ?1 AND (word, user) > (?2, ?3) AND word < ?4
ORDER BY word, user LIMIT ?5;

-- name: given people; anonymous
SELECT wanted.key, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq)
FROM json_each(?2) AS wanted CROSS JOIN users ON users.seq = CAST(wanted.value ->> 0 AS bigint)
WHERE TRUE
  AND (wanted.value ->> 1 IS NULL
    OR (?5 IS NULL OR username < ?5 OR username >= ?6)
    AND NOT EXISTS (
    SELECT 1 FROM user_words
    WHERE user = users.seq AND kind = 1 AND word >= ?3 AND word < wanted.value ->> 1)
    AND NOT EXISTS (
    SELECT 1 FROM json_each(?4) AS beginning WHERE NOT EXISTS (
      SELECT 1 FROM user_words
      WHERE user = users.seq AND kind = 1 AND word >= beginning.value ->> 0
        AND word < beginning.value ->> 1)));

-- name: given people; person
SELECT wanted.key, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + CASE WHEN (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq) AND EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1))) THEN friends_memes ELSE 0 END
  + CASE WHEN users.seq = (SELECT seq FROM users WHERE id = ?1) THEN friends_memes + private_memes ELSE 0 END, (users.followers - CASE
    WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
    WHEN users.followers < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
    (SELECT count(*) FROM (
      SELECT follows.follower AS person FROM follows WHERE follows.followed = users.seq AND TRUE LIMIT 2000) AS counted
    WHERE (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
    ELSE
    (WITH apart (person) AS MATERIALIZED (SELECT blocked FROM (
        SELECT blocked FROM blocks INDEXED BY blocks_of_blocker
        WHERE blocker = (SELECT seq FROM users WHERE id = ?1) ORDER BY seq DESC LIMIT 1000) AS ours
      UNION ALL SELECT theirs.blocker FROM (
        SELECT blocker FROM blocks INDEXED BY blocks_of_blocked
        WHERE blocked = (SELECT seq FROM users WHERE id = ?1) ORDER BY seq DESC LIMIT 1000) AS theirs
      WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = theirs.blocker))
    SELECT count(*) FROM (
      SELECT TRUE AS counts FROM apart
      CROSS JOIN follows ON follows.follower = apart.person AND follows.followed = users.seq LIMIT 2000) AS counted
    WHERE counts)
    END), (users.following - CASE
    WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
    WHEN users.following < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
    (SELECT count(*) FROM (
      SELECT follows.followed AS person FROM follows WHERE follows.follower = users.seq AND TRUE LIMIT 2000) AS counted
    WHERE (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
    ELSE
    (WITH apart (person) AS MATERIALIZED (SELECT blocked FROM (
        SELECT blocked FROM blocks INDEXED BY blocks_of_blocker
        WHERE blocker = (SELECT seq FROM users WHERE id = ?1) ORDER BY seq DESC LIMIT 1000) AS ours
      UNION ALL SELECT theirs.blocker FROM (
        SELECT blocker FROM blocks INDEXED BY blocks_of_blocked
        WHERE blocked = (SELECT seq FROM users WHERE id = ?1) ORDER BY seq DESC LIMIT 1000) AS theirs
      WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = theirs.blocker))
    SELECT count(*) FROM (
      SELECT TRUE AS counts FROM apart
      CROSS JOIN follows ON follows.followed = apart.person AND follows.follower = users.seq LIMIT 2000) AS counted
    WHERE counts)
    END),
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq)
FROM json_each(?2) AS wanted CROSS JOIN users ON users.seq = CAST(wanted.value ->> 0 AS bigint)
WHERE NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = users.seq AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq))
  AND (wanted.value ->> 1 IS NULL
    OR (?5 IS NULL OR username < ?5 OR username >= ?6)
    AND NOT EXISTS (
    SELECT 1 FROM user_words
    WHERE user = users.seq AND kind = 1 AND word >= ?3 AND word < wanted.value ->> 1)
    AND NOT EXISTS (
    SELECT 1 FROM json_each(?4) AS beginning WHERE NOT EXISTS (
      SELECT 1 FROM user_words
      WHERE user = users.seq AND kind = 1 AND word >= beginning.value ->> 0
        AND word < beginning.value ->> 1)));

-- name: given people; admin
SELECT wanted.key, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + friends_memes + private_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq)
FROM json_each(?2) AS wanted CROSS JOIN users ON users.seq = CAST(wanted.value ->> 0 AS bigint)
WHERE TRUE
  AND (wanted.value ->> 1 IS NULL
    OR (?5 IS NULL OR username < ?5 OR username >= ?6)
    AND NOT EXISTS (
    SELECT 1 FROM user_words
    WHERE user = users.seq AND kind = 1 AND word >= ?3 AND word < wanted.value ->> 1)
    AND NOT EXISTS (
    SELECT 1 FROM json_each(?4) AS beginning WHERE NOT EXISTS (
      SELECT 1 FROM user_words
      WHERE user = users.seq AND kind = 1 AND word >= beginning.value ->> 0
        AND word < beginning.value ->> 1)));
