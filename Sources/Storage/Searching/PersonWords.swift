import Memes
import SQL

// The search words of people, in `user_words`. They are written in the transaction of the change.

/// Inserts the search words of a new person.
///
/// - Parameter person: `users.seq`.
func insertWords(
  of user: User, _ person: Int64, in db: borrowing Transaction
) throws {
  try db.run(
    "INSERT INTO user_words (kind, word, user) VALUES (0, ?, ?)", user.username.text, person)
  try replaceNameWords(user.displayName, of: person, in: db)
}

/// Replaces the search words of a person's display name.
func replaceNameWords(
  _ name: DisplayName?, of person: Int64, in db: borrowing Transaction
) throws {
  try db.run("DELETE FROM user_words WHERE user = ? AND kind = 1", person)
  for word in name.map({ SearchWords($0.text).beginnings }) ?? [] {
    try db.run("INSERT INTO user_words (kind, word, user) VALUES (1, ?, ?)", word, person)
  }
}
