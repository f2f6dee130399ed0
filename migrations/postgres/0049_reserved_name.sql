-- compatible from 46
-- PostgreSQL 17 reserves the name json, which was the name of a parameter. A dump that an earlier version of PostgreSQL makes does
-- not quote it, and could not be restored there. Nothing in the database uses the two functions, only statements do.

DROP FUNCTION json_each(text);

-- The elements of an array, with their places.
CREATE FUNCTION json_each(document text, OUT key bigint, OUT value jsonb) RETURNS SETOF record
LANGUAGE sql IMMUTABLE STRICT ROWS 30 AS $$
  SELECT place - 1, element FROM jsonb_array_elements(CAST(document AS jsonb)) WITH ORDINALITY AS elements (element, place)
$$;

DROP FUNCTION json_extract(text, text);

-- A text in a JSON value. The path is that of SQLite, which is one of PostgreSQL too.
CREATE FUNCTION json_extract(document text, path text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT jsonb_path_query_first(CAST(document AS jsonb), CAST(path AS jsonpath)) #>> '{}'
$$;
