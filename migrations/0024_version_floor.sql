-- A version number names one state of a meme, a comment or settings, also after a restore: clients keep pictures for a year by
-- that number. A restore raises the floor above every number that was given out; the next version is above the floor.
ALTER TABLE epochs ADD COLUMN version_floor INTEGER NOT NULL DEFAULT 0 CHECK (version_floor >= 0);
