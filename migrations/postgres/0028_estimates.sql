-- PostgreSQL estimates how many rows an owner or a status has from their average. If few accounts have all favorites, or nearly
-- all reports are closed, it would walk a list of everything and drop what does not match. These columns therefore count as
-- if each of their values had about 20 rows. SQLite's statements name their indexes instead.

ALTER TABLE blocks ALTER COLUMN blocker SET (n_distinct = -0.05), ALTER COLUMN blocked SET (n_distinct = -0.05);
ALTER TABLE changes ALTER COLUMN author SET (n_distinct = -0.05);
ALTER TABLE comments ALTER COLUMN meme SET (n_distinct = -0.05), ALTER COLUMN "user" SET (n_distinct = -0.05);
ALTER TABLE favorites ALTER COLUMN meme SET (n_distinct = -0.05), ALTER COLUMN "user" SET (n_distinct = -0.05);
ALTER TABLE follows ALTER COLUMN follower SET (n_distinct = -0.05), ALTER COLUMN followed SET (n_distinct = -0.05);
ALTER TABLE likes ALTER COLUMN meme SET (n_distinct = -0.05), ALTER COLUMN "user" SET (n_distinct = -0.05);
ALTER TABLE meme_words ALTER COLUMN author SET (n_distinct = -0.05), ALTER COLUMN word SET (n_distinct = -0.05);
ALTER TABLE memes ALTER COLUMN author SET (n_distinct = -0.05);
ALTER TABLE notifications ALTER COLUMN "user" SET (n_distinct = -0.05);
ALTER TABLE reports ALTER COLUMN reporter SET (n_distinct = -0.05), ALTER COLUMN status SET (n_distinct = -0.05);
ALTER TABLE sessions ALTER COLUMN "user" SET (n_distinct = -0.05);
ALTER TABLE templates ALTER COLUMN author SET (n_distinct = -0.05);

ANALYZE blocks, changes, comments, favorites, follows, likes, meme_words, memes, notifications, reports, sessions, templates;
