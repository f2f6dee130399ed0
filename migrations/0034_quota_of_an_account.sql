-- A quota for a single account, in bytes; NULL if the limit of all accounts applies.
ALTER TABLE users ADD COLUMN quota_bytes INTEGER CHECK (quota_bytes >= 0);
