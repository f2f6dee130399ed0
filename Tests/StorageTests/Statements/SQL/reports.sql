-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: reports with a status, newest first
SELECT reports.seq, reports.id, reports.kind, reports.subject, reports.username,
  maker.id, maker.username, maker.display_name, maker.avatar,
  memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
  CASE WHEN memes.seq IS NOT NULL THEN comments.text END, reports.reason,
  reporter.id, reporter.username, reporter.display_name, reporter.avatar,
  reports.created_at, reports.status, reports.note, audit.at, audit.actor, audit.username,
  (SELECT count(*) FROM (
    SELECT 1 FROM reports AS same WHERE same.subject = reports.subject AND same.status = 0
    LIMIT 1000) AS open) FROM reports LEFT JOIN audit ON audit.seq = reports.closing
LEFT JOIN users AS reporter ON reporter.seq = reports.reporter
LEFT JOIN comments ON reports.kind = 1 AND comments.id = reports.subject AND comments.deleted_at IS NULL
LEFT JOIN memes ON memes.deleted_at IS NULL AND memes.seq = CASE reports.kind
  WHEN 0 THEN (SELECT seq FROM memes WHERE id = reports.subject) ELSE comments.meme END
LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
LEFT JOIN users AS maker ON maker.seq = CASE reports.kind
  WHEN 0 THEN memes.author WHEN 1 THEN CASE WHEN memes.seq IS NOT NULL THEN comments.user END
  ELSE (SELECT seq FROM users WHERE id = reports.subject) END
WHERE reports.status = ?1 AND reports.seq < ?2
ORDER BY reports.seq DESC LIMIT ?3;

-- name: reports of a person, newest first
SELECT seq, id, created_at, CASE WHEN kind <> 2 OR EXISTS (
  SELECT 1 FROM users AS reported
  WHERE reported.id = reports.subject AND NOT (EXISTS (SELECT 1 FROM blocks WHERE blocker = reported.seq AND blocked = (SELECT seq FROM users WHERE id = ?1)) OR EXISTS (SELECT 1 FROM blocks WHERE blocker = (SELECT seq FROM users WHERE id = ?1) AND blocked = reported.seq))
) THEN kind END, subject, username, reason
FROM reports INDEXED BY reports_of_reporter
WHERE reporter = (SELECT seq FROM users WHERE id = ?1) AND seq < ?2 ORDER BY seq DESC LIMIT ?3;

-- name: other open reports on a subject
SELECT seq FROM reports INDEXED BY reports_of_subject
WHERE subject = (SELECT subject FROM reports WHERE id = ?1) AND status = 0 AND id <> ?1 LIMIT ?2;

-- name: change the reason of a person's open report
UPDATE reports SET reason = ?1
WHERE seq = (
  SELECT seq FROM reports INDEXED BY reports_open
  WHERE reporter = ?2 AND subject = ?3 AND status = 0 ORDER BY seq DESC LIMIT 1)
  AND status = 0
RETURNING id, created_at;

-- name: open anonymous reports on a subject
SELECT id, created_at FROM reports INDEXED BY reports_of_nobody
WHERE subject = ? AND status = 0 AND reporter IS NULL ORDER BY seq DESC LIMIT ?;
