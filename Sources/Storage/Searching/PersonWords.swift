import Memes
import SQLite

// What people are found by, in `user_words`. It is written in the transaction of what it tells of.

/// Keeps what a person is found by who has just come.
///
/// - Parameter person: `users.seq`.
func insertWords(
  of user: User, _ person: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "INSERT INTO user_words (kind, word, user) VALUES (0, ?, ?)", user.username.text, person)
  try replaceNameWords(user.displayName, of: person, in: db)
}

/// Puts the words of a name in the place of those that a person had.
func replaceNameWords(
  _ name: DisplayName?, of person: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run("DELETE FROM user_words WHERE user = ? AND kind = 1", person)
  for word in name?.searchBeginnings ?? [] {
    try db.run("INSERT INTO user_words (kind, word, user) VALUES (1, ?, ?)", word, person)
  }
}
