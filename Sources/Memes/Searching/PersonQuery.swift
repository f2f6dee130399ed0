/// A search for people, by the prefix of a username or the prefixes of words in a display name.
package struct PersonQuery: Hashable, Sendable {
  /// The maximum length of a display name.
  package static let maximumCharacters = DisplayName.maximumCharacters

  /// The username prefix; `nil` if no username can start with the text.
  package let username: String?
  /// Word prefixes without duplicates. A display name matches only if it has a word for each of them. Empty only if
  /// there is a username prefix.
  package let beginnings: [String]

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: Self.maximumCharacters, bytes: DisplayName.maximumBytes)
    let words = SearchWords(text)
    username = Username.beginning(in: text)
    guard !words.isEmpty || username != nil else {
      throw InvalidValue(code: "empty", message: "Must contain a letter or digit to search for.")
    }
    beginnings = words.prefixes
  }

  /// The longest word prefix, which probably matches the fewest names; `nil` if there is none.
  package var longest: String? { beginnings.max { $0.utf8.count < $1.utf8.count } }

  /// Whether the position can belong to the results of this query.
  package func mayFind(at position: PersonPosition) -> Bool {
    guard let beginning = position.isByUsername ? username : longest else { return false }
    return position.word.utf8.starts(with: beginning.utf8)
  }
}

/// A position in the results of a people search: right after this person. The account may have been deleted.
package struct PersonPosition: Hashable, Sendable {
  /// Whether the person was found by username. These results come before those found by display name.
  package let isByUsername: Bool
  /// The username or the word by which the person was found.
  package let word: String
  package let sequence: Int64

  package init(isByUsername: Bool, word: String, sequence: Int64) {
    (self.isByUsername, self.word, self.sequence) = (isByUsername, word, sequence)
  }
}

/// A page of found people, in the order of the results.
package struct FoundPeople: Sendable {
  package let items: [Profile]
  /// The start of the next page; `nil` at the end.
  package let next: PersonPosition?

  package init(items: [Profile], next: PersonPosition?) { (self.items, self.next) = (items, next) }
}
