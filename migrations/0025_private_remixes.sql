-- Whether the meme may only be private: its picture is a remix of a meme that its author shows to friends alone. Remixes made
-- before this stay as they are.
ALTER TABLE memes ADD COLUMN is_private_only INTEGER NOT NULL DEFAULT 0 CHECK (is_private_only IN (0, 1));
