-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: all memes, newest first; admin
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_listed
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq < ?2 AND memes.deleted_at IS NULL
ORDER BY memes.seq DESC LIMIT ?3;

-- name: public memes, newest first; anonymous
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_public
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq < ?2 AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY memes.seq DESC LIMIT ?3;

-- name: visible memes, newest first, by a scan; person
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_listed
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq < ?2 AND memes.deleted_at IS NULL AND memes.seq >= ?4 AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY memes.seq DESC LIMIT ?3;

-- name: visible memes, newest first, merged; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT seq FROM memes INDEXED BY memes_public
      WHERE visibility = 0 AND deleted_at IS NULL AND seq < ?2
      ORDER BY seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 0)),
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_public
    WHERE visibility = 0 AND deleted_at IS NULL AND seq < ?2
      AND seq >= (SELECT last FROM stretch) AND (author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    ORDER BY seq DESC LIMIT ?3) AS everybodys
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = (SELECT seq FROM users WHERE id = ?1) AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = (SELECT seq FROM users WHERE id = ?1) AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT memes.seq FROM (
    SELECT followed,
      (SELECT seq FROM memes INDEXED BY memes_of_author
      WHERE memes.author = mine.followed AND memes.visibility = 1
        AND memes.deleted_at IS NULL AND memes.seq < ?2
      ORDER BY deleted_at DESC, seq DESC LIMIT 1) AS head
    FROM follows AS mine
    WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND EXISTS (SELECT 1 FROM follows WHERE follower = mine.followed AND followed = mine.follower)
    ORDER BY head DESC NULLS LAST LIMIT ?3) AS people
  CROSS JOIN memes INDEXED BY memes_of_author
    ON memes.author = people.followed AND memes.visibility = 1
    AND memes.deleted_at IS NULL AND memes.seq < ?2
    AND memes.seq >= coalesce(
      (SELECT seq FROM memes INDEXED BY memes_of_author
      WHERE memes.author = people.followed AND memes.visibility = 1
        AND memes.deleted_at IS NULL AND memes.seq < ?2
      ORDER BY deleted_at DESC, seq DESC LIMIT 1 OFFSET ?3 - 1), 0) ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE page.seq >= (SELECT last FROM stretch)
ORDER BY page.seq DESC;

-- name: public memes of an author, newest first; anonymous
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq DESC;

-- name: public memes of an author, newest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq DESC;

-- name: memes of a friend, newest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq DESC;

-- name: all memes of an author, newest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq DESC;

-- name: all memes of an author, newest first; admin
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors ORDER BY seq DESC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq DESC;

-- name: all memes, oldest first; admin
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_listed
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq > ?2 AND memes.deleted_at IS NULL
ORDER BY memes.seq ASC LIMIT ?3;

-- name: public memes, oldest first; anonymous
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_public
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq > ?2 AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY memes.seq ASC LIMIT ?3;

-- name: visible memes, oldest first, by a scan; person
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_listed
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.seq > ?2 AND memes.deleted_at IS NULL AND memes.seq <= ?4 AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY memes.seq ASC LIMIT ?3;

-- name: visible memes, oldest first, merged; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT seq FROM memes INDEXED BY memes_public
      WHERE visibility = 0 AND deleted_at IS NULL AND seq > ?2
      ORDER BY seq ASC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
          OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807)),
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_public
    WHERE visibility = 0 AND deleted_at IS NULL AND seq > ?2
      AND seq <= (SELECT last FROM stretch) AND (author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    ORDER BY seq ASC LIMIT ?3) AS everybodys
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = (SELECT seq FROM users WHERE id = ?1) AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = (SELECT seq FROM users WHERE id = ?1) AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT memes.seq FROM (
    SELECT followed,
      (SELECT seq FROM memes INDEXED BY memes_of_author
      WHERE memes.author = mine.followed AND memes.visibility = 1
        AND memes.deleted_at IS NULL AND memes.seq > ?2
      ORDER BY deleted_at ASC, seq ASC LIMIT 1) AS head
    FROM follows AS mine
    WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND EXISTS (SELECT 1 FROM follows WHERE follower = mine.followed AND followed = mine.follower)
    ORDER BY head ASC NULLS LAST LIMIT ?3) AS people
  CROSS JOIN memes INDEXED BY memes_of_author
    ON memes.author = people.followed AND memes.visibility = 1
    AND memes.deleted_at IS NULL AND memes.seq > ?2
    AND memes.seq <= coalesce(
      (SELECT seq FROM memes INDEXED BY memes_of_author
      WHERE memes.author = people.followed AND memes.visibility = 1
        AND memes.deleted_at IS NULL AND memes.seq > ?2
      ORDER BY deleted_at ASC, seq ASC LIMIT 1 OFFSET ?3 - 1), 9223372036854775807) ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE page.seq <= (SELECT last FROM stretch)
ORDER BY page.seq ASC;

-- name: public memes of an author, oldest first; anonymous
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq ASC;

-- name: public memes of an author, oldest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq ASC;

-- name: memes of a friend, oldest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq ASC;

-- name: all memes of an author, oldest first; person
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq ASC;

-- name: all memes of an author, oldest first; admin
WITH
  page (seq) AS (SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors
  UNION ALL SELECT * FROM (
    SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = ?4 AND memes.visibility = 2
      AND memes.deleted_at IS NULL AND memes.seq > ?2 ORDER BY deleted_at ASC, seq ASC LIMIT ?3) AS authors ORDER BY seq ASC LIMIT ?3)
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM page CROSS JOIN memes ON memes.seq = page.seq
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
ORDER BY page.seq ASC;

-- name: favorites, newest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT favorites.seq FROM favorites INDEXED BY favorites_of_user
      WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
      ORDER BY favorites.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT favorites.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM favorites INDEXED BY favorites_of_user
CROSS JOIN memes ON memes.seq = favorites.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
  AND favorites.seq >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY favorites.seq DESC LIMIT ?3;

-- name: favorites, newest first; admin
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT favorites.seq FROM favorites INDEXED BY favorites_of_user
      WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
      ORDER BY favorites.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT favorites.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM favorites INDEXED BY favorites_of_user
CROSS JOIN memes ON memes.seq = favorites.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
  AND favorites.seq >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND TRUE
ORDER BY favorites.seq DESC LIMIT ?3;

-- name: memes with a tag, newest first; anonymous
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags INDEXED BY meme_tags_public
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.is_public AND meme_tags.tag = ?4 AND meme_tags.meme < ?2
  AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY meme_tags.meme DESC LIMIT ?3;

-- name: memes with a tag, newest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?4 AND meme_tags.meme < ?2
      ORDER BY meme_tags.meme DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.tag = ?4 AND meme_tags.meme < ?2
  AND meme_tags.meme >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY meme_tags.meme DESC LIMIT ?3;

-- name: memes with a tag, newest first; admin
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?4 AND meme_tags.meme < ?2
      ORDER BY meme_tags.meme DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.tag = ?4 AND meme_tags.meme < ?2
  AND meme_tags.meme >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND TRUE
ORDER BY meme_tags.meme DESC LIMIT ?3;

-- name: memes with a tag, oldest first; anonymous
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags INDEXED BY meme_tags_public
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.is_public AND meme_tags.tag = ?4 AND meme_tags.meme > ?2
  AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY meme_tags.meme ASC LIMIT ?3;

-- name: memes with a tag, oldest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?4 AND meme_tags.meme > ?2
      ORDER BY meme_tags.meme ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.tag = ?4 AND meme_tags.meme > ?2
  AND meme_tags.meme <= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY meme_tags.meme ASC LIMIT ?3;

-- name: memes with a tag, oldest first; admin
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?4 AND meme_tags.meme > ?2
      ORDER BY meme_tags.meme ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT meme_tags.meme, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM meme_tags
CROSS JOIN memes ON memes.seq = meme_tags.meme
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE meme_tags.tag = ?4 AND meme_tags.meme > ?2
  AND meme_tags.meme <= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND TRUE
ORDER BY meme_tags.meme ASC LIMIT ?3;

-- name: remixes, newest first; anonymous
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq < ?2
      ORDER BY remixes.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq < ?2
  AND memes.seq >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY memes.seq DESC LIMIT ?3;

-- name: remixes, newest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq < ?2
      ORDER BY remixes.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq < ?2
  AND memes.seq >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY memes.seq DESC LIMIT ?3;

-- name: remixes, newest first; admin
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq < ?2
      ORDER BY remixes.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 0))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq < ?2
  AND memes.seq >= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND TRUE
ORDER BY memes.seq DESC LIMIT ?3;

-- name: remixes, oldest first; anonymous
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq > ?2
      ORDER BY remixes.seq ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq > ?2
  AND memes.seq <= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND memes.visibility = 0
ORDER BY memes.seq ASC LIMIT ?3;

-- name: remixes, oldest first; person
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq > ?2
      ORDER BY remixes.seq ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq > ?2
  AND memes.seq <= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))))
ORDER BY memes.seq ASC LIMIT ?3;

-- name: remixes, oldest first; admin
WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
      WHERE remixes.remix_of = ?4 AND remixes.seq > ?2
      ORDER BY remixes.seq ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
        OFFSET 999), 9223372036854775807))
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM memes INDEXED BY memes_remixes
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.remix_of = ?4 AND memes.seq > ?2
  AND memes.seq <= (SELECT last FROM stretch) AND memes.deleted_at IS NULL AND TRUE
ORDER BY memes.seq ASC LIMIT ?3;

-- name: given memes; anonymous
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM json_each(?2) AS wanted CROSS JOIN memes ON memes.seq = CAST(wanted.value AS bigint)
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.deleted_at IS NULL AND memes.visibility = 0;

-- name: given memes; person
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM json_each(?2) AS wanted CROSS JOIN memes ON memes.seq = CAST(wanted.value AS bigint)
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.deleted_at IS NULL AND (memes.visibility = 0 AND (memes.author IS NULL OR NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = memes.author AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = memes.author)))
    OR memes.author = (SELECT seq FROM users WHERE id = ?1)
    OR memes.visibility = 1 AND (EXISTS (SELECT 1 FROM follows WHERE follower = (SELECT seq FROM users WHERE id = ?1) AND followed = memes.author) AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = (SELECT seq FROM users WHERE id = ?1))));

-- name: given memes; admin
SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
FROM json_each(?2) AS wanted CROSS JOIN memes ON memes.seq = CAST(wanted.value AS bigint)
CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
WHERE memes.deleted_at IS NULL AND TRUE;
