-- Whether an admin put the meme into the trash, and not its author or whoever had its deleteToken: then only an admin takes it out.
ALTER TABLE memes ADD COLUMN deleted_by_admin INTEGER NOT NULL DEFAULT 0
  CHECK (deleted_by_admin = 0 OR deleted_by_admin = 1 AND deleted_at IS NOT NULL);
