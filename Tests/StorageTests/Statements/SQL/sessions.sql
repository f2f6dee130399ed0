-- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

-- name: sessions of a person, last used first
SELECT s.id, users.id, s.created_at, last_used_at, user_agent, users.role, users.suspended_at IS NOT NULL
FROM sessions AS s JOIN users ON users.seq = s.user WHERE users.id = ? AND last_used_at > ? AND s.created_at > ?
ORDER BY last_used_at DESC LIMIT ?;
