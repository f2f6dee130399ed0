-- One row while `mememe move` fills this database, and after it was interrupted. No server starts with such a database.
CREATE TABLE moves (
  id integer PRIMARY KEY CHECK (id = 1),
  -- The epoch of the installation that is moved here.
  source bytea NOT NULL CHECK (octet_length(source) = 8)
);
