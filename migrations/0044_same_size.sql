-- Whether all captions of a meme have the font size of the smallest one.
ALTER TABLE memes ADD COLUMN same_size INTEGER NOT NULL DEFAULT 0 CHECK (same_size IN (0, 1));
