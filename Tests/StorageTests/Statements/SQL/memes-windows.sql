-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: visible memes, newest first
SELECT seq FROM memes INDEXED BY memes_public
WHERE visibility = 0 AND deleted_at IS NULL AND seq < ?2
ORDER BY seq DESC LIMIT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OFFSET 999;

-- name: visible memes, oldest first
SELECT seq FROM memes INDEXED BY memes_public
WHERE visibility = 0 AND deleted_at IS NULL AND seq > ?2
ORDER BY seq ASC LIMIT (EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1))
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked = (SELECT seq FROM users WHERE id = ?1))) OFFSET 999;

-- name: favorites, newest first
SELECT favorites.seq FROM favorites INDEXED BY favorites_of_user
WHERE favorites.user = (SELECT seq FROM users WHERE id = ?1) AND favorites.seq < ?2
ORDER BY favorites.seq DESC LIMIT 1 OFFSET 999;
