-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: the newest memes of followed people, by a scan
SELECT seq FROM memes INDEXED BY memes_listed
WHERE deleted_at IS NULL AND seq < ?2 AND seq >= ?4
  AND (author = ?1
    OR visibility = 0 AND EXISTS (SELECT 1 FROM follows WHERE follower = ?1 AND followed = memes.author)
    OR visibility = 1 AND EXISTS (SELECT 1 FROM follows WHERE follower = ?1 AND followed = memes.author)
    AND EXISTS (SELECT 1 FROM follows WHERE follower = memes.author AND followed = ?1))
ORDER BY seq DESC LIMIT ?3;

-- name: the newest memes of followed people, merged from each
SELECT * FROM (
  SELECT seq FROM memes INDEXED BY memes_of_author
  WHERE memes.author = ?1 AND memes.visibility = 0
    AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
UNION ALL SELECT * FROM (
  SELECT seq FROM memes INDEXED BY memes_of_author
  WHERE memes.author = ?1 AND memes.visibility = 1
    AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
UNION ALL SELECT * FROM (
  SELECT seq FROM memes INDEXED BY memes_of_author
  WHERE memes.author = ?1 AND memes.visibility = 2
    AND memes.deleted_at IS NULL AND memes.seq < ?2 ORDER BY deleted_at DESC, seq DESC LIMIT ?3) AS authors
UNION ALL SELECT memes.seq FROM (
  SELECT followed,
    (SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = mine.followed AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2
    ORDER BY deleted_at DESC, seq DESC LIMIT 1) AS head
  FROM follows AS mine
  WHERE follower = ?1
  ORDER BY head DESC NULLS LAST LIMIT ?3) AS people
CROSS JOIN memes INDEXED BY memes_of_author
  ON memes.author = people.followed AND memes.visibility = 0
  AND memes.deleted_at IS NULL AND memes.seq < ?2
  AND memes.seq >= coalesce(
    (SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = people.followed AND memes.visibility = 0
      AND memes.deleted_at IS NULL AND memes.seq < ?2
    ORDER BY deleted_at DESC, seq DESC LIMIT 1 OFFSET ?3 - 1), 0)
UNION ALL SELECT memes.seq FROM (
  SELECT followed,
    (SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = mine.followed AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2
    ORDER BY deleted_at DESC, seq DESC LIMIT 1) AS head
  FROM follows AS mine
  WHERE follower = ?1 AND EXISTS (SELECT 1 FROM follows WHERE follower = mine.followed AND followed = mine.follower)
  ORDER BY head DESC NULLS LAST LIMIT ?3) AS people
CROSS JOIN memes INDEXED BY memes_of_author
  ON memes.author = people.followed AND memes.visibility = 1
  AND memes.deleted_at IS NULL AND memes.seq < ?2
  AND memes.seq >= coalesce(
    (SELECT seq FROM memes INDEXED BY memes_of_author
    WHERE memes.author = people.followed AND memes.visibility = 1
      AND memes.deleted_at IS NULL AND memes.seq < ?2
    ORDER BY deleted_at DESC, seq DESC LIMIT 1 OFFSET ?3 - 1), 0) ORDER BY seq DESC LIMIT ?3;
