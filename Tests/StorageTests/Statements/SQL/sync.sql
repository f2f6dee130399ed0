-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: changes of a person's memes
WITH page (number, meme, deleted_at) AS (
  SELECT number, meme, deleted_at FROM changes INDEXED BY changes_there
  WHERE author = (SELECT seq FROM users WHERE id = ?1) AND deleted_at IS NULL AND number > ?2
  UNION ALL
  SELECT number, meme, deleted_at FROM changes INDEXED BY changes_deleted
  WHERE author = (SELECT seq FROM users WHERE id = ?1) AND deleted_at IS NOT NULL AND number > ?3
  ORDER BY number LIMIT ?4)
SELECT page.number, page.meme, page.deleted_at,
  CASE WHEN page.deleted_at IS NULL THEN (SELECT seq FROM memes WHERE id = page.meme) END
FROM page;
