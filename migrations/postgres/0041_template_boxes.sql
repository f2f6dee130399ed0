-- What the author of a template chooses besides the name: boxes, tags and aliases are JSON arrays.
ALTER TABLE templates
  ADD COLUMN boxes text COLLATE "C" NOT NULL DEFAULT '[]',
  ADD COLUMN tags text COLLATE "C" NOT NULL DEFAULT '[]',
  ADD COLUMN aliases text COLLATE "C" NOT NULL DEFAULT '[]',
  -- The address of the page from which the picture comes.
  ADD COLUMN source text COLLATE "C",
  -- Increases with each change of the columns above, the name and the alt text.
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  -- How often a meme was made from the template.
  ADD COLUMN use_count bigint NOT NULL DEFAULT 0,
  -- Of the server, from its starter set or imported by its operator. Such a template has no author and counts in no quota.
  ADD COLUMN belongs_to_server boolean NOT NULL DEFAULT FALSE;

CREATE INDEX templates_by_use ON templates (use_count, seq);
CREATE INDEX templates_of_server ON templates (seq) WHERE belongs_to_server;
-- Admins can delete all anonymous templates at once. Those of the server are not among them.
DROP INDEX templates_of_nobody;
CREATE INDEX templates_of_nobody ON templates (created_at, seq) WHERE author IS NULL AND NOT belongs_to_server;

-- The names in addresses by which a template is found.
CREATE TABLE template_aliases (
  alias text COLLATE "C" NOT NULL PRIMARY KEY,
  template bigint NOT NULL REFERENCES templates (seq) ON DELETE CASCADE
);

CREATE INDEX template_aliases_of_template ON template_aliases (template);

-- The words by which a template is found, from their beginning, and its tags with a # before them.
CREATE TABLE template_words (
  word text COLLATE "C" NOT NULL,
  template bigint NOT NULL REFERENCES templates (seq) ON DELETE CASCADE,
  PRIMARY KEY (word, template)
);

CREATE INDEX template_words_of_template ON template_words (template, word);

-- Templates from before this migration get their words later.
ALTER TABLE wordless ADD COLUMN templates_before bigint NOT NULL DEFAULT 0;
UPDATE wordless SET templates_before = (SELECT coalesce(max(seq), 0) + 1 FROM templates);

DROP TRIGGER template_stored ON templates;
DROP TRIGGER template_not_stored ON templates;
DROP TRIGGER template_stored_anew ON templates;

CREATE TRIGGER template_stored AFTER INSERT ON templates FOR EACH ROW
WHEN (NOT NEW.belongs_to_server) EXECUTE FUNCTION template_stored();

CREATE TRIGGER template_not_stored AFTER DELETE ON templates FOR EACH ROW
WHEN (NOT OLD.belongs_to_server) EXECUTE FUNCTION template_not_stored();

CREATE TRIGGER template_stored_anew AFTER UPDATE OF author, byte_count, thumbnail_byte_count ON templates FOR EACH ROW
WHEN (NOT NEW.belongs_to_server) EXECUTE FUNCTION template_stored_anew();
