-- The previous usernames of renamed accounts. Times are milliseconds since 1970 in UTC.

-- The last name before the current one, which stays reserved for a while; NULL if the account was never renamed.
ALTER TABLE users ADD COLUMN former_username text COLLATE "C";
ALTER TABLE users ADD COLUMN renamed_at bigint;

-- Not unique: after that while, another account may have had the same name, and may have been renamed too.
CREATE INDEX users_former_username ON users (former_username) WHERE former_username IS NOT NULL;
