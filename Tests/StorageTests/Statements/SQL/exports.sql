-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: memes of an export, oldest first
SELECT memes.seq, memes.id, memes.created_at FROM memes INDEXED BY memes_by_time
WHERE memes.deleted_at IS NULL AND (memes.created_at, memes.seq) > (?2, ?3) AND (?1 IS NULL OR memes.author = (SELECT seq FROM users WHERE id = ?1))
ORDER BY memes.created_at, memes.seq LIMIT ?4;
