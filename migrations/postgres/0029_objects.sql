-- Pictures in an object store. A row of blobs then has the key of an object instead of bytes.

ALTER TABLE blobs ALTER COLUMN bytes DROP NOT NULL;
ALTER TABLE blobs ADD COLUMN object_key text COLLATE "C";
ALTER TABLE blobs ADD CONSTRAINT blobs_place CHECK ((bytes IS NULL) <> (object_key IS NULL));

-- An object belongs to one row.
CREATE UNIQUE INDEX blobs_object ON blobs (object_key) WHERE object_key IS NOT NULL;

-- The object store of this database. Empty without one.
CREATE TABLE object_stores (
  id integer PRIMARY KEY CHECK (id = 1),
  -- Random. The object "mark" has the same bytes, so that a server notices another bucket.
  mark bytea NOT NULL CHECK (octet_length(mark) = 32),
  -- Whether the object was put. Until then, another bucket may be chosen.
  is_marked boolean NOT NULL DEFAULT FALSE,
  -- The last day of which no objects without a row are left, in days since 1970.
  swept_day bigint NOT NULL
);

-- Objects that no row names. They are deleted after a grace, because a reader may still have the key.
CREATE TABLE discarded_objects (
  object_key text COLLATE "C" PRIMARY KEY,
  -- By the clock of the database, in milliseconds since 1970.
  discarded_at bigint NOT NULL DEFAULT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
);

CREATE INDEX discarded_objects_age ON discarded_objects (discarded_at);

CREATE FUNCTION object_discarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO discarded_objects (object_key) VALUES (OLD.object_key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER object_discarded AFTER DELETE ON blobs FOR EACH ROW WHEN (OLD.object_key IS NOT NULL)
EXECUTE FUNCTION object_discarded();
