-- What memes and people are found by.

-- The words of memes, as `SearchWords` writes them: it alone says what a word is, so the tokenizer only has to split at blanks,
-- which `ascii` does as long as there is no ASCII punctuation. Counts of words would only be read to rank by them. No trigger may
-- write here, since the schema is not trusted to; whoever removes a meme removes its words. A row has the meme's number with a minus before it.
CREATE VIRTUAL TABLE meme_words USING fts5 (
  captions,
  -- Where it has other words than the captions.
  alt_text,
  -- The `users.seq` of the author, so that one author's are found without looking at everybody's.
  author,
  tokenize = 'ascii', columnsize = 0);

-- What a person is found by from its beginning: their username, and the words of their name.
CREATE TABLE user_words (
  -- 0 username, 1 a word of the name: the order of what is found.
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 1),
  word TEXT NOT NULL,
  user INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  PRIMARY KEY (kind, word, user)
) STRICT, WITHOUT ROWID;

-- Whether somebody has a word of such a beginning.
CREATE INDEX user_words_of_user ON user_words (user, kind, word);

-- A username has no capitals and no accents.
INSERT INTO user_words (kind, word, user) SELECT 0, username, seq FROM users;

-- What was made before this migration has no words until the server has gone through it: what is left of it is before these
-- numbers.
CREATE TABLE wordless (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  memes_before INTEGER NOT NULL,
  users_before INTEGER NOT NULL
) STRICT;

INSERT INTO wordless (id, memes_before, users_before)
VALUES (1, (SELECT coalesce(max(seq), 0) + 1 FROM memes), (SELECT coalesce(max(seq), 0) + 1 FROM users));

-- When the meme would have been made if nobody liked it and it stood where it stands: 12 hours later for each doubling of its
-- likes, itself counted as one. It is 12 h × log₂(1 + likes), straight between two doublings, since not every SQLite has
-- logarithms; beyond 1,048,575 likes it stays as it is. It changes with the likes only, never with the time.
ALTER TABLE memes ADD COLUMN popularity INTEGER NOT NULL GENERATED ALWAYS AS (
    created_at
    + min(like_count, 1) * 43200000
    + min(max(like_count - 1, 0), 2) * 43200000 / 2
    + min(max(like_count - 3, 0), 4) * 43200000 / 4
    + min(max(like_count - 7, 0), 8) * 43200000 / 8
    + min(max(like_count - 15, 0), 16) * 43200000 / 16
    + min(max(like_count - 31, 0), 32) * 43200000 / 32
    + min(max(like_count - 63, 0), 64) * 43200000 / 64
    + min(max(like_count - 127, 0), 128) * 43200000 / 128
    + min(max(like_count - 255, 0), 256) * 43200000 / 256
    + min(max(like_count - 511, 0), 512) * 43200000 / 512
    + min(max(like_count - 1023, 0), 1024) * 43200000 / 1024
    + min(max(like_count - 2047, 0), 2048) * 43200000 / 2048
    + min(max(like_count - 4095, 0), 4096) * 43200000 / 4096
    + min(max(like_count - 8191, 0), 8192) * 43200000 / 8192
    + min(max(like_count - 16383, 0), 16384) * 43200000 / 16384
    + min(max(like_count - 32767, 0), 32768) * 43200000 / 32768
    + min(max(like_count - 65535, 0), 65536) * 43200000 / 65536
    + min(max(like_count - 131071, 0), 131072) * 43200000 / 131072
    + min(max(like_count - 262143, 0), 262144) * 43200000 / 262144
    + min(max(like_count - 524287, 0), 524288) * 43200000 / 524288
  ) VIRTUAL;

CREATE INDEX memes_popular ON memes (popularity) WHERE deleted_at IS NULL AND visibility = 0;
