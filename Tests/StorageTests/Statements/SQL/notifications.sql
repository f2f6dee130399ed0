-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: notifications, newest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT notices.place FROM notifications AS notices
      WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND notices.place < ?2
      ORDER BY notices.place DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 99), 0))
SELECT notices.place, notices.kind, notices.created_at, notices.updated_at, notices.is_read,
  CASE notices.kind WHEN 0 THEN (notices.count - CASE
    WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
    WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
    (SELECT count(*) FROM (
      SELECT likes.user AS person FROM likes WHERE likes.meme = notices.meme AND likes.seq BETWEEN notices.first_event AND notices.last_event AND TRUE LIMIT 2000) AS counted
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
      CROSS JOIN likes ON likes.user = apart.person AND likes.meme = notices.meme AND likes.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
    WHERE counts)
    END) WHEN 1 THEN (notices.count - CASE
    WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
    WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
    (SELECT count(*) FROM (
      SELECT comments.user AS person FROM comments WHERE comments.meme = notices.meme AND comments.seq BETWEEN notices.first_event AND notices.last_event AND comments.deleted_at IS NULL LIMIT 2000) AS counted
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
      SELECT comments.deleted_at IS NULL AS counts FROM apart
      CROSS JOIN comments ON comments.user = apart.person AND comments.meme = notices.meme AND comments.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
    WHERE counts)
    END) WHEN 2 THEN (notices.count - CASE
    WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
    WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
    (SELECT count(*) FROM (
      SELECT follows.follower AS person FROM follows WHERE follows.followed = notices.user AND follows.seq BETWEEN notices.first_event AND notices.last_event AND TRUE LIMIT 2000) AS counted
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
      CROSS JOIN follows ON follows.follower = apart.person AND follows.followed = notices.user AND follows.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
    WHERE counts)
    END) END,
  memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
  comments0.id, substr(comments0.text, 1, 1120),
  actor0.id, actor0.username, actor0.display_name, actor0.avatar, actor1.id, actor1.username, actor1.display_name, actor1.avatar, actor2.id, actor2.username, actor2.display_name, actor2.avatar
FROM notifications AS notices
LEFT JOIN memes ON memes.seq = notices.meme
LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
LEFT JOIN likes AS likes0
  ON likes0.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN likes AS likes1
  ON likes1.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND likes0.seq - 1
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, likes0.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN likes AS likes2
  ON likes2.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND likes1.seq - 1
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, likes0.user, likes1.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN comments AS comments0
  ON comments0.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN comments AS comments1
  ON comments1.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND comments0.seq - 1
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, comments0.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN comments AS comments2
  ON comments2.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND comments1.seq - 1
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, comments0.user, comments1.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN follows AS follows0
  ON follows0.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN follows AS follows1
  ON follows1.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND follows0.seq - 1
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, follows0.follower)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN follows AS follows2
  ON follows2.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND follows1.seq - 1
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, follows0.follower, follows1.follower)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
  LIMIT 1) END
LEFT JOIN users AS actor0 ON actor0.seq = coalesce(likes0.user, comments0.user, follows0.follower)
LEFT JOIN users AS actor1 ON actor1.seq = coalesce(likes1.user, comments1.user, follows1.follower)
LEFT JOIN users AS actor2 ON actor2.seq = coalesce(likes2.user, comments2.user, follows2.follower)
WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND notices.place < ?2 AND (notices.meme IS NULL OR memes.deleted_at IS NULL)
  AND notices.place >= (SELECT last FROM stretch)
  AND (actor0.seq IS NOT NULL OR CASE notices.kind WHEN 0 THEN (notices.count - CASE
      WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
      WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
        + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
      (SELECT count(*) FROM (
        SELECT likes.user AS person FROM likes WHERE likes.meme = notices.meme AND likes.seq BETWEEN notices.first_event AND notices.last_event AND TRUE LIMIT 2000) AS counted
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
        CROSS JOIN likes ON likes.user = apart.person AND likes.meme = notices.meme AND likes.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
      WHERE counts)
      END) WHEN 1 THEN (notices.count - CASE
      WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
      WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
        + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
      (SELECT count(*) FROM (
        SELECT comments.user AS person FROM comments WHERE comments.meme = notices.meme AND comments.seq BETWEEN notices.first_event AND notices.last_event AND comments.deleted_at IS NULL LIMIT 2000) AS counted
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
        SELECT comments.deleted_at IS NULL AS counts FROM apart
        CROSS JOIN comments ON comments.user = apart.person AND comments.meme = notices.meme AND comments.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
      WHERE counts)
      END) WHEN 2 THEN (notices.count - CASE
      WHEN NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 0
      WHEN notices.count < ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
        + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs)) THEN
      (SELECT count(*) FROM (
        SELECT follows.follower AS person FROM follows WHERE follows.followed = notices.user AND follows.seq BETWEEN notices.first_event AND notices.last_event AND TRUE LIMIT 2000) AS counted
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
        CROSS JOIN follows ON follows.follower = apart.person AND follows.followed = notices.user AND follows.seq BETWEEN notices.first_event AND notices.last_event LIMIT 2000) AS counted
      WHERE counts)
      END) END > 0)
ORDER BY notices.place DESC LIMIT ?3;

-- name: number of unread notifications; person
SELECT count(*) FROM (
  SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
  LEFT JOIN memes ON memes.seq = notices.meme
  WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND NOT notices.is_read AND (notices.meme IS NULL OR memes.deleted_at IS NULL)
    AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
        OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1)))
      -- A person likes or follows the same thing only once. If events outnumber hidden people, one is visible.
      OR notices.kind <> 1 AND notices.count > ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
        + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs))
      OR CASE notices.kind WHEN 0 THEN (SELECT seq FROM (
        SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
        WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY likes.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
            OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
      LIMIT 1) WHEN 1 THEN (SELECT seq FROM (
        SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
        WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
            OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
      LIMIT 1) WHEN 2 THEN (SELECT seq FROM (
        SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
        WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY follows.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
            OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = person AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = person)))
      LIMIT 1) END IS NOT NULL)
  LIMIT ?2) AS unread;

-- name: notifications, the end of the scan window
SELECT notices.place FROM notifications AS notices
WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND notices.place < ?2
ORDER BY notices.place DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 99;

-- name: notifications, newest first; admin
SELECT notices.place, notices.kind, notices.created_at, notices.updated_at, notices.is_read,
  notices.count,
  memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
  comments0.id, substr(comments0.text, 1, 1120),
  actor0.id, actor0.username, actor0.display_name, actor0.avatar, actor1.id, actor1.username, actor1.display_name, actor1.avatar, actor2.id, actor2.username, actor2.display_name, actor2.avatar
FROM notifications AS notices
LEFT JOIN memes ON memes.seq = notices.meme
LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
LEFT JOIN likes AS likes0
  ON likes0.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN likes AS likes1
  ON likes1.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND likes0.seq - 1
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, likes0.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN likes AS likes2
  ON likes2.seq = CASE WHEN notices.kind = 0 THEN (SELECT seq FROM (
    SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
    WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND likes1.seq - 1
    ORDER BY likes.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, likes0.user, likes1.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN comments AS comments0
  ON comments0.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN comments AS comments1
  ON comments1.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND comments0.seq - 1
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, comments0.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN comments AS comments2
  ON comments2.seq = CASE WHEN notices.kind = 1 THEN (SELECT seq FROM (
    SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
    WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND comments1.seq - 1
    ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, comments0.user, comments1.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN follows AS follows0
  ON follows0.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND notices.last_event
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN follows AS follows1
  ON follows1.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND follows0.seq - 1
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, follows0.follower)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN follows AS follows2
  ON follows2.seq = CASE WHEN notices.kind = 2 THEN (SELECT seq FROM (
    SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
    WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND follows1.seq - 1
    ORDER BY follows.seq DESC LIMIT 100) AS events
  WHERE person NOT IN (notices.user, follows0.follower, follows1.follower)
    AND (TRUE OR TRUE)
  LIMIT 1) END
LEFT JOIN users AS actor0 ON actor0.seq = coalesce(likes0.user, comments0.user, follows0.follower)
LEFT JOIN users AS actor1 ON actor1.seq = coalesce(likes1.user, comments1.user, follows1.follower)
LEFT JOIN users AS actor2 ON actor2.seq = coalesce(likes2.user, comments2.user, follows2.follower)
WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND notices.place < ?2 AND (notices.meme IS NULL OR memes.deleted_at IS NULL)
  AND (actor0.seq IS NOT NULL OR notices.count > 0)
ORDER BY notices.place DESC LIMIT ?3;

-- name: number of unread notifications; admin
SELECT count(*) FROM (
  SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
  LEFT JOIN memes ON memes.seq = notices.meme
  WHERE notices.user = (SELECT seq FROM users WHERE id = ?1) AND NOT notices.is_read AND (notices.meme IS NULL OR memes.deleted_at IS NULL)
    AND (TRUE
      -- A person likes or follows the same thing only once. If events outnumber hidden people, one is visible.
      OR notices.kind <> 1 AND notices.count > ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS ours)
        + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1) LIMIT 1000) AS theirs))
      OR CASE notices.kind WHEN 0 THEN (SELECT seq FROM (
        SELECT likes.seq AS seq, likes.user AS person FROM likes INDEXED BY likes_of_meme
        WHERE likes.meme = notices.meme AND TRUE AND likes.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY likes.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (TRUE OR TRUE)
      LIMIT 1) WHEN 1 THEN (SELECT seq FROM (
        SELECT comments.seq AS seq, comments.user AS person FROM comments INDEXED BY comments_of_meme
        WHERE comments.meme = notices.meme AND comments.deleted_at IS NULL AND comments.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (TRUE OR TRUE)
      LIMIT 1) WHEN 2 THEN (SELECT seq FROM (
        SELECT follows.seq AS seq, follows.follower AS person FROM follows INDEXED BY follows_of_followed
        WHERE follows.followed = notices.user AND TRUE AND follows.seq BETWEEN notices.first_event AND notices.last_event
        ORDER BY follows.seq DESC LIMIT 100) AS events
      WHERE person NOT IN (notices.user)
        AND (TRUE OR TRUE)
      LIMIT 1) END IS NOT NULL)
  LIMIT ?2) AS unread;

-- name: mark as read
UPDATE notifications INDEXED BY notifications_unread SET is_read = TRUE
WHERE user = (SELECT seq FROM users WHERE id = ?1) AND NOT is_read AND place <= ?2;

-- name: delete old records of withdrawn activity
DELETE FROM taken_back
WHERE (actor, kind, subject) IN (
  SELECT actor, kind, subject FROM taken_back WHERE at <= ?1 - 86400000 LIMIT ?2);
