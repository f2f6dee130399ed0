-- The places of a template for pictures, in the order in which those of an address fill them: a JSON array.
ALTER TABLE templates ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';
