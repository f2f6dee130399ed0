-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: followers of a person; anonymous
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_followed
CROSS JOIN users ON users.seq = link.follower
WHERE link.followed = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;

-- name: followers of a person; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT link.seq FROM follows AS link INDEXED BY follows_of_followed WHERE link.followed = ?2 AND link.seq < ?3
      ORDER BY link.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
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
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_followed
CROSS JOIN users ON users.seq = link.follower
WHERE link.followed = ?2 AND link.seq < ?3 AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = link.follower AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = link.follower))
  AND link.seq >= (SELECT last FROM stretch)
ORDER BY link.seq DESC LIMIT ?4;

-- name: followers of a person, the end of the scan window
SELECT link.seq FROM follows AS link INDEXED BY follows_of_followed WHERE link.followed = ?2 AND link.seq < ?3
ORDER BY link.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: followers of a person; admin
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + friends_memes + private_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_followed
CROSS JOIN users ON users.seq = link.follower
WHERE link.followed = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;

-- name: people whom a person follows; anonymous
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_follower
CROSS JOIN users ON users.seq = link.followed
WHERE link.follower = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;

-- name: people whom a person follows; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT link.seq FROM follows AS link INDEXED BY follows_of_follower WHERE link.follower = ?2 AND link.seq < ?3
      ORDER BY link.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
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
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_follower
CROSS JOIN users ON users.seq = link.followed
WHERE link.follower = ?2 AND link.seq < ?3 AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = link.followed AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = link.followed))
  AND link.seq >= (SELECT last FROM stretch)
ORDER BY link.seq DESC LIMIT ?4;

-- name: people whom a person follows, the end of the scan window
SELECT link.seq FROM follows AS link INDEXED BY follows_of_follower WHERE link.follower = ?2 AND link.seq < ?3
ORDER BY link.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: people whom a person follows; admin
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + friends_memes + private_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_follower
CROSS JOIN users ON users.seq = link.followed
WHERE link.follower = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;

-- name: friends of the viewer; person
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
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
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_follower
CROSS JOIN users ON users.seq = link.followed
WHERE link.follower = ?2 AND link.seq < ?3 AND EXISTS (SELECT 1 FROM follows WHERE follower = link.followed AND followed = link.follower)
ORDER BY link.seq DESC LIMIT ?4;

-- name: friends of the viewer; admin
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + friends_memes + private_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM follows AS link INDEXED BY follows_of_follower
CROSS JOIN users ON users.seq = link.followed
WHERE link.follower = ?2 AND link.seq < ?3 AND EXISTS (SELECT 1 FROM follows WHERE follower = link.followed AND followed = link.follower)
ORDER BY link.seq DESC LIMIT ?4;

-- name: people whom the viewer blocks; person
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
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
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM blocks AS link INDEXED BY blocks_of_blocker
CROSS JOIN users ON users.seq = link.blocked
WHERE link.blocker = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;

-- name: people whom the viewer blocks; admin
SELECT link.seq, link.created_at, users.id, username, email, display_name, bio, users.created_at, password_changed_at,
  users.renamed_at, users.email_confirmed_at, avatar, users.role, public_memes + friends_memes + private_memes, users.followers, users.following,
  EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = users.seq), EXISTS (SELECT 1 FROM follows WHERE follower = users.seq AND followed = (SELECT seq FROM users WHERE id = ?1)),
  EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = users.seq) FROM blocks AS link INDEXED BY blocks_of_blocker
CROSS JOIN users ON users.seq = link.blocked
WHERE link.blocker = ?2 AND link.seq < ?3 AND TRUE
ORDER BY link.seq DESC LIMIT ?4;
