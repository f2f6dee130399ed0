-- The tags of a meme, without repetitions, in the order of their author: a JSON array of texts.
ALTER TABLE memes ADD COLUMN tags text COLLATE "C" NOT NULL DEFAULT '[]';

-- The same tags, by which memes are found.
CREATE TABLE meme_tags (
  tag text COLLATE "C" NOT NULL,
  meme bigint NOT NULL REFERENCES memes (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, meme)
);

CREATE INDEX meme_tags_of_meme ON meme_tags (meme);
