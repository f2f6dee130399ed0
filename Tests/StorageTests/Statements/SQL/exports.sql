-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: memes of an export, oldest first
SELECT memes.seq,   memes.id,
  author.id, author.username, author.display_name, author.avatar,
  memes.visibility, memes.version, memes.created_at, memes.updated_at,
  memes.top, memes.bottom,
  memes.fill, memes.outline, memes.outline_width, memes.size,
  memes.font, memes.letter_case, memes.align, memes.chosen_style,
  memes.layout, memes.captions, memes.crop, memes.max_edge, memes.pictures, memes.same_size, memes.alt_text,
  a.format, a.width, a.height, a.byte_count, a.digest,
  b.format, b.width, b.height, b.byte_count, b.digest,
  c.format, c.width, c.height, c.byte_count, c.digest,
  d.format, d.width, d.height, d.byte_count, d.digest,
  memes.fit,
  memes.like_count, memes.favorite_count, memes.comment_count, memes.share_count, EXISTS (SELECT 1 FROM likes WHERE user = (SELECT seq FROM users WHERE id = ?1) AND meme = memes.seq), EXISTS (SELECT 1 FROM favorites WHERE user = (SELECT seq FROM users WHERE id = ?1) AND meme = memes.seq),
  memes.is_private_only, memes.tags, memes.remix_of, EXISTS (SELECT 1 FROM memes AS source
  WHERE source.id = memes.remix_of AND source.deleted_at IS NULL AND TRUE)
FROM memes INDEXED BY memes_by_time CROSS JOIN pictures AS a ON a.meme = memes.seq AND a.role = 0
CROSS JOIN pictures AS b ON b.meme = memes.seq AND b.role = 1
CROSS JOIN pictures AS c ON c.meme = memes.seq AND c.role = 2
CROSS JOIN pictures AS d ON d.meme = memes.seq AND d.role = 3
LEFT JOIN users AS author ON author.seq = memes.author
WHERE memes.deleted_at IS NULL AND (memes.created_at, memes.seq) > (?2, ?3) AND (?1 IS NULL OR memes.author = (SELECT seq FROM users WHERE id = ?1))
ORDER BY memes.created_at, memes.seq LIMIT ?4;
