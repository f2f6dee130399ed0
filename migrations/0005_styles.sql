-- Of the style of captions, what everybody had alike until now.

-- An id of a face, as `GET /fonts` listed it when the meme was made.
ALTER TABLE memes ADD COLUMN font TEXT NOT NULL DEFAULT 'impact';

-- 'upper': drawn as capitals. 'typed': drawn as typed.
ALTER TABLE memes ADD COLUMN letter_case TEXT NOT NULL DEFAULT 'upper'
  CHECK (letter_case IN ('upper', 'typed'));

ALTER TABLE memes ADD COLUMN align TEXT NOT NULL DEFAULT 'center'
  CHECK (align IN ('left', 'center', 'right'));
