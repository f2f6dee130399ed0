-- The ID of the meme whose picture this is. It stays if that meme is deleted.
ALTER TABLE memes ADD COLUMN remix_of BLOB CHECK (length(remix_of) = 16);

CREATE INDEX memes_remixes ON memes (remix_of, seq) WHERE remix_of IS NOT NULL;
