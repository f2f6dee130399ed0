-- What the author of a template chooses besides the name: boxes, tags and aliases are JSON arrays.
ALTER TABLE templates ADD COLUMN boxes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE templates ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE templates ADD COLUMN aliases TEXT NOT NULL DEFAULT '[]';
-- The address of the page from which the picture comes.
ALTER TABLE templates ADD COLUMN source TEXT;
-- Increases with each change of the columns above, the name and the alt text.
ALTER TABLE templates ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- How often a meme was made from the template.
ALTER TABLE templates ADD COLUMN use_count INTEGER NOT NULL DEFAULT 0;
-- 1: of the server, from its starter set or imported by its operator. Such a template has no author and counts in no quota.
ALTER TABLE templates ADD COLUMN belongs_to_server INTEGER NOT NULL DEFAULT 0 CHECK (belongs_to_server IN (0, 1));

CREATE INDEX templates_by_use ON templates (use_count, seq);
CREATE INDEX templates_of_server ON templates (seq) WHERE belongs_to_server;
-- Admins can delete all anonymous templates at once. Those of the server are not among them.
DROP INDEX templates_of_nobody;
CREATE INDEX templates_of_nobody ON templates (created_at) WHERE author IS NULL AND NOT belongs_to_server;

-- The names in addresses by which a template is found.
CREATE TABLE template_aliases (
  alias TEXT NOT NULL PRIMARY KEY,
  template INTEGER NOT NULL REFERENCES templates (seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX template_aliases_of_template ON template_aliases (template);

-- The words by which a template is found, from their beginning, and its tags with a # before them.
CREATE TABLE template_words (
  word TEXT NOT NULL,
  template INTEGER NOT NULL REFERENCES templates (seq) ON DELETE CASCADE,
  PRIMARY KEY (word, template)
) STRICT, WITHOUT ROWID;

CREATE INDEX template_words_of_template ON template_words (template, word);

-- Templates from before this migration get their words later.
ALTER TABLE wordless ADD COLUMN templates_before INTEGER NOT NULL DEFAULT 0;
UPDATE wordless SET templates_before = (SELECT coalesce(max(seq), 0) + 1 FROM templates);

DROP TRIGGER template_stored;
DROP TRIGGER template_not_stored;
DROP TRIGGER template_stored_anew;

CREATE TRIGGER template_stored AFTER INSERT ON templates WHEN NOT new.belongs_to_server BEGIN
  INSERT INTO storing VALUES (new.author, new.byte_count + new.thumbnail_byte_count);
END;

CREATE TRIGGER template_not_stored AFTER DELETE ON templates WHEN NOT old.belongs_to_server BEGIN
  INSERT INTO storing VALUES (old.author, -(old.byte_count + old.thumbnail_byte_count));
END;

CREATE TRIGGER template_stored_anew AFTER UPDATE OF author, byte_count, thumbnail_byte_count ON templates
WHEN NOT new.belongs_to_server BEGIN
  INSERT INTO storing VALUES
    (old.author, -(old.byte_count + old.thumbnail_byte_count)),
    (new.author, new.byte_count + new.thumbnail_byte_count);
END;
