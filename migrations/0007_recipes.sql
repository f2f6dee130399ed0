-- What a meme is made by besides its two captions and their style, so that it can be drawn again.

-- 'overlay': top and bottom are on the picture. 'bar': in white bars above and below it.
ALTER TABLE memes ADD COLUMN layout TEXT NOT NULL DEFAULT 'overlay'
  CHECK (layout IN ('overlay', 'bar'));

-- Which parts of the style somebody chose, by their names, with commas between them; the others are as the layout wants them.
-- NULL, as before this migration: those that differ from a style without choices.
ALTER TABLE memes ADD COLUMN chosen_style TEXT;

-- Captions in boxes of their own: a JSON array.
ALTER TABLE memes ADD COLUMN captions TEXT NOT NULL DEFAULT '[]';

-- The part that is shown: 'x,y,width,height' in pixels of the upright original. NULL: all of it.
ALTER TABLE memes ADD COLUMN crop TEXT;

-- The longest edge that the meme was drawn for. NULL, as before this migration: the server's setting.
ALTER TABLE memes ADD COLUMN max_edge INTEGER CHECK (max_edge >= 1);
