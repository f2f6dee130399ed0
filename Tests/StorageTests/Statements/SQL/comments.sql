-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: comments on a meme, newest first; anonymous
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  FALSE, FALSE
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq < ?3 AND TRUE
ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT ?4;

-- name: comments on a meme, newest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT comments.seq FROM comments INDEXED BY comments_of_meme WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
        AND comments.seq < ?3
      ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), coalesce(comments.user = (SELECT seq FROM users WHERE id = ?1) OR memes.author = (SELECT seq FROM users WHERE id = ?1), FALSE)
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq < ?3 AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = comments.user)
    OR memes.author IS DISTINCT FROM (SELECT seq FROM users WHERE id = ?1) AND EXISTS (SELECT 1 FROM blocks WHERE blocker = comments.user AND blocked = (SELECT seq FROM users WHERE id = ?1)))
  AND comments.seq >= (SELECT last FROM stretch)
ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT ?4;

-- name: comments on a meme, newest first; admin
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), TRUE
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq < ?3 AND TRUE
ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT ?4;

-- name: comments on a meme, newest first, the end of the scan window
SELECT comments.seq FROM comments INDEXED BY comments_of_meme WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq < ?3
ORDER BY comments.deleted_at DESC, comments.seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: comments on a meme, oldest first; anonymous
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  FALSE, FALSE
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq > ?3 AND TRUE
ORDER BY comments.deleted_at ASC, comments.seq ASC LIMIT ?4;

-- name: comments on a meme, oldest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT comments.seq FROM comments INDEXED BY comments_of_meme WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
        AND comments.seq > ?3
      ORDER BY comments.deleted_at ASC, comments.seq ASC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), coalesce(comments.user = (SELECT seq FROM users WHERE id = ?1) OR memes.author = (SELECT seq FROM users WHERE id = ?1), FALSE)
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq > ?3 AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = comments.user)
    OR memes.author IS DISTINCT FROM (SELECT seq FROM users WHERE id = ?1) AND EXISTS (SELECT 1 FROM blocks WHERE blocker = comments.user AND blocked = (SELECT seq FROM users WHERE id = ?1)))
  AND comments.seq <= (SELECT last FROM stretch)
ORDER BY comments.deleted_at ASC, comments.seq ASC LIMIT ?4;

-- name: comments on a meme, oldest first; admin
SELECT comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), TRUE
FROM comments INDEXED BY comments_of_meme CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq > ?3 AND TRUE
ORDER BY comments.deleted_at ASC, comments.seq ASC LIMIT ?4;

-- name: comments on a meme, oldest first, the end of the scan window
SELECT comments.seq FROM comments INDEXED BY comments_of_meme WHERE comments.meme = ?2 AND comments.deleted_at IS NULL
  AND comments.seq > ?3
ORDER BY comments.deleted_at ASC, comments.seq ASC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: one comment; anonymous
SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  FALSE, FALSE
FROM comments CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.id = ?2 AND memes.visibility = 0 AND TRUE;

-- name: one comment; person
SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), coalesce(comments.user = (SELECT seq FROM users WHERE id = ?1) OR memes.author = (SELECT seq FROM users WHERE id = ?1), FALSE)
FROM comments CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.id = ?2 AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1)))) AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = comments.user)
    OR memes.author IS DISTINCT FROM (SELECT seq FROM users WHERE id = ?1) AND EXISTS (SELECT 1 FROM blocks WHERE blocker = comments.user AND blocked = (SELECT seq FROM users WHERE id = ?1)));

-- name: one comment; admin
SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), TRUE
FROM comments CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.id = ?2 AND TRUE AND TRUE;

-- name: comments of a person
SELECT comments.meme, comments.seq, author.id, author.username, author.display_name, author.avatar,
  comments.id, memes.id, comments.version, comments.text, comments.created_at, comments.edited_at,
  comments.user IS NOT DISTINCT FROM (SELECT seq FROM users WHERE id = ?1), TRUE
FROM comments INDEXED BY comments_of_user CROSS JOIN users AS author ON author.seq = comments.user
CROSS JOIN memes ON memes.seq = comments.meme
WHERE comments.user = (SELECT seq FROM users WHERE id = ?1) AND (comments.meme, comments.seq) < (?2, ?3)
  AND comments.deleted_at IS NULL
ORDER BY comments.meme DESC, comments.seq DESC LIMIT ?4;
