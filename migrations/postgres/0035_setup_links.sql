-- Links in the log of a server without an admin, with which the first admin makes an account.

-- True for such a link, which is valid only while no admin exists.
ALTER TABLE invitations ADD COLUMN is_setup boolean NOT NULL DEFAULT FALSE;

-- The admins.
CREATE INDEX users_admins ON users (seq) WHERE role = 1;
