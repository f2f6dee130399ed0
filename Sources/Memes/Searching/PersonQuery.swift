/// What somebody looks for people by: the beginning of a username, or the beginnings of words of a name.
package struct PersonQuery: Hashable, Sendable {
  /// As long as a name.
  package static let maximumCharacters = DisplayName.maximumCharacters

  /// What a username may begin with; `nil` where none does.
  package let username: String?
  /// With what words of a name begin; nobody is found by them who has no word for one of them. Each once; none only where there
  /// is a username.
  package let beginnings: [String]

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: Self.maximumCharacters, bytes: DisplayName.maximumBytes)
    let words = SearchWords(text).words
    username = Username.beginning(in: text)
    guard !words.isEmpty || username != nil else {
      throw InvalidValue(code: "empty", message: "There is no word in it to search for.")
    }
    beginnings = words.map { $0.joinedBeginning() }.reduce(into: []) { seen, word in
      if !seen.contains(word) { seen.append(word) }
    }
  }

  /// The one among the beginnings that the fewest names have words for; `nil` where there are none.
  package var longest: String? { beginnings.max { $0.utf8.count < $1.utf8.count } }

  /// Whether somebody can have been found there.
  package func mayFind(at position: PersonPosition) -> Bool {
    guard let beginning = position.isByUsername ? username : longest else { return false }
    return position.word.utf8.starts(with: beginning.utf8)
  }
}

extension DisplayName {
  /// What the words of the name begin with wherever somebody may begin to write one: each word, and of a script without spaces
  /// the rest of a run from each of its letters on. Each once.
  package var searchBeginnings: Set<String> {
    Set(
      SearchWords(text).words.flatMap { word in
        word.indices.map { word[$0...].joinedBeginning() }
      })
  }
}

extension Collection<String> {
  /// Compatibility forms make single characters into many; nobody types more than this of a word to find it.
  fileprivate func joinedBeginning() -> String { String(joined().unicodeScalars.prefix(64)) }
}

/// A place in what is found of people: just behind this person, who need not be there any more.
package struct PersonPosition: Hashable, Sendable {
  /// Whether it is among those whose username begins so. They come before those whose name has such words.
  package let isByUsername: Bool
  /// What they were found by.
  package let word: String
  package let sequence: Int64

  package init(isByUsername: Bool, word: String, sequence: Int64) {
    (self.isByUsername, self.word, self.sequence) = (isByUsername, word, sequence)
  }
}

/// Some of the people that were found, in their order.
package struct FoundPeople: Sendable {
  package let items: [Profile]
  /// Where the next page starts; `nil` at the end.
  package let next: PersonPosition?

  package init(items: [Profile], next: PersonPosition?) { (self.items, self.next) = (items, next) }
}
