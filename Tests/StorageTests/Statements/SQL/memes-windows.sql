-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: visible memes, newest first
SELECT seq FROM memes INDEXED BY memes_public
WHERE visibility = 0 AND deleted_at IS NULL AND seq < ?2
ORDER BY seq DESC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: visible memes, oldest first
SELECT seq FROM memes INDEXED BY memes_public
WHERE visibility = 0 AND deleted_at IS NULL AND seq > ?2
ORDER BY seq ASC LIMIT CASE WHEN (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) THEN 1 ELSE 0 END
  OFFSET 999;

-- name: favorites, newest first
SELECT favorites.seq FROM favorites INDEXED BY favorites_of_user
WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
ORDER BY favorites.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
  OFFSET 999;

-- name: memes with a tag, newest first
SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?3 AND meme_tags.meme < ?2
ORDER BY meme_tags.meme DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
  OFFSET 999;

-- name: memes with a tag, oldest first
SELECT meme_tags.meme FROM meme_tags WHERE meme_tags.tag = ?3 AND meme_tags.meme > ?2
ORDER BY meme_tags.meme ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
  OFFSET 999;

-- name: remixes, newest first
SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
WHERE remixes.remix_of = ?3 AND remixes.seq < ?2
ORDER BY remixes.seq DESC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
  OFFSET 999;

-- name: remixes, oldest first
SELECT remixes.seq FROM memes AS remixes INDEXED BY memes_remixes
WHERE remixes.remix_of = ?3 AND remixes.seq > ?2
ORDER BY remixes.seq ASC LIMIT CASE WHEN TRUE THEN 1 ELSE 0 END
  OFFSET 999;
