-- Confirmed email addresses. Times are milliseconds since 1970 in UTC.

-- When the person showed that the email is theirs; NULL if not yet.
ALTER TABLE users ADD COLUMN email_confirmed_at INTEGER;
-- Until when the account may share by mail without a confirmed email; NULL if it may not.
ALTER TABLE users ADD COLUMN unconfirmed_until INTEGER;

-- Existing accounts had no way to confirm it, and have 30 days.
UPDATE users SET unconfirmed_until = (CAST(strftime('%s', 'now') AS INTEGER) + 30 * 86400) * 1000;
