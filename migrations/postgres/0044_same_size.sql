-- Whether all captions of a meme have the font size of the smallest one.
ALTER TABLE memes ADD COLUMN same_size boolean NOT NULL DEFAULT FALSE;
