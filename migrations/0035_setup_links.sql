-- Links in the log of a server without an admin, with which the first admin makes an account.

-- 1 for such a link, which is valid only while no admin exists.
ALTER TABLE invitations ADD COLUMN is_setup INTEGER NOT NULL DEFAULT 0 CHECK (is_setup BETWEEN 0 AND 1);

-- The admins.
CREATE INDEX users_admins ON users (seq) WHERE role = 1;
