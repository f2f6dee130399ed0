-- How often people shared a meme.

-- In all, beside the rest of what a list shows.
ALTER TABLE memes ADD COLUMN share_count INTEGER NOT NULL DEFAULT 0 CHECK (share_count >= 0);

-- By way of sharing. Anybody may count one more, so a share is not a row: there are a few rows for each meme, however often it is.
CREATE TABLE shares (
  meme INTEGER NOT NULL REFERENCES memes (seq),
  channel TEXT NOT NULL CHECK (channel IN ('facebook', 'x', 'whatsapp', 'sms', 'email', 'link', 'other')),
  count INTEGER NOT NULL CHECK (count >= 1),
  PRIMARY KEY (meme, channel)
) STRICT, WITHOUT ROWID;
