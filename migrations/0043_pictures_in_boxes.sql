-- The boxes of a meme that hold pictures, in drawing order: a JSON array. The files are rows of `pictures`, the first with the role 4.
ALTER TABLE memes ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';
