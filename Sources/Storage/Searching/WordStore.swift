package import Memes
package import SQL

/// Adds the memes, users and templates that are older than the search index to it, in the tables `meme_words`,
/// `user_words` and `template_words`. The table `wordless` records which ones remain.
///
/// Each call is one transaction on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct WordStore: Sendable {
  private let writer: ObservedWriter

  /// - Parameter observers: notified when more memes can be found by searches.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
  }

  /// Adds some of the memes, users and templates that are not in the search index.
  ///
  /// - Returns: the number of added items; 0 if none are left.
  package func fillWords(atMost count: Int) async throws -> Int {
    try await writer.write { db in
      let memes = try fillMemes(atMost: count, in: db)
      if memes > 0 { return Written(memes, .many) }
      let people = try fillPeople(atMost: count, in: db)
      if people > 0 { return Written(people, changes: []) }
      return Written(try fillTemplates(atMost: count, in: db), changes: [])
    }
  }
}

private func fillMemes(
  atMost count: Int, in db: borrowing Transaction
) throws -> Int {
  let memes = try db.all(
    """
    SELECT seq, author, top, bottom, captions, alt_text, tags FROM memes
    WHERE seq < (SELECT memes_before FROM wordless) ORDER BY seq DESC LIMIT ?
    """, count
  ) { row in
    (
      number: try row.next() as Int64, author: try row.next() as Int64?,
      words: try MemeWords(&row)
    )
  }
  for meme in memes { try insertWords(meme.words, of: meme.number, by: meme.author, in: db) }
  if let last = memes.last { try db.run("UPDATE wordless SET memes_before = ?", last.number) }
  return memes.count
}

/// Adds all memes to an empty index, except those that ``WordStore`` adds later.
func insertIndexedWords(in db: borrowing Transaction) throws {
  var last = Int64.min
  while true {
    let memes = try db.all(
      """
      SELECT seq, author, top, bottom, captions, alt_text, tags FROM memes
      WHERE seq > ? AND seq >= (SELECT memes_before FROM wordless) ORDER BY seq LIMIT 200
      """, last
    ) { row in
      (
        number: try row.next() as Int64, author: try row.next() as Int64?,
        words: try MemeWords(&row)
      )
    }
    guard let end = memes.last else { return }
    for meme in memes { try insertWords(meme.words, of: meme.number, by: meme.author, in: db) }
    last = end.number
  }
}

private func fillPeople(
  atMost count: Int, in db: borrowing Transaction
) throws -> Int {
  let people = try db.all(
    """
    SELECT seq, display_name FROM users
    WHERE seq < (SELECT users_before FROM wordless) ORDER BY seq DESC LIMIT ?
    """, count
  ) { row in
    (
      number: try row.next() as Int64,
      name: (try row.next() as String?).map(DisplayName.init(stored:))
    )
  }
  for person in people { try replaceNameWords(person.name, of: person.number, in: db) }
  if let last = people.last { try db.run("UPDATE wordless SET users_before = ?", last.number) }
  return people.count
}

private func fillTemplates(
  atMost count: Int, in db: borrowing Transaction
) throws -> Int {
  let templates = try db.all(
    """
    SELECT seq, \(templateColumns) FROM templates
    WHERE seq < (SELECT templates_before FROM wordless) ORDER BY seq DESC LIMIT ?
    """, count
  ) { row in
    // A damaged row, which `mememe check` reports, must not block the others.
    (number: try row.next() as Int64, fields: try? Template(&row).fields)
  }
  for template in templates {
    if let fields = template.fields { try replaceWords(fields, of: template.number, in: db) }
  }
  if let last = templates.last {
    try db.run("UPDATE wordless SET templates_before = ?", last.number)
  }
  return templates.count
}
