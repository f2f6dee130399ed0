import Memes
import SQL

// The aliases of templates, in `template_aliases`, and their words, in `template_words`. They are written in the
// transaction of the change.

/// Replaces the aliases and the words of a template.
///
/// - Parameter template: `templates.seq`.
/// - Throws: ``MemeError/aliasTaken`` if another template has one of the aliases.
func replaceNames(_ fields: TemplateFields, of template: Int64, in db: borrowing Transaction) throws
{
  try db.run("DELETE FROM template_aliases WHERE template = ?", template)
  // All writers take the keys in the same order.
  for alias in fields.aliases.map(\.text).sorted() {
    let count = try db.run(
      "INSERT INTO template_aliases (alias, template) VALUES (?, ?) ON CONFLICT (alias) DO NOTHING",
      alias, template)
    guard count == 1 else { throw MemeError.aliasTaken }
  }
  try replaceWords(fields, of: template, in: db)
}

/// Replaces the words of a template.
func replaceWords(_ fields: TemplateFields, of template: Int64, in db: borrowing Transaction) throws
{
  try db.run("DELETE FROM template_words WHERE template = ?", template)
  // No character of a word must be escaped in JSON.
  let words = fields.searchBeginnings.union(fields.tags.map { "#\($0.text)" }).sorted()
  try db.run(
    """
    INSERT INTO template_words (word, template)
    SELECT word.value ->> 0, ?2 FROM json_each(?1) AS word
    """, "[\(words.map { "[\"\($0)\"]" }.joined(separator: ","))]", template)
}
