// Searches by the beginnings of words: of people, and of templates.

extension SearchWords {
  /// The searchable beginnings of the text, without duplicates. They include each word. In scripts without spaces, they
  /// also include the rest of a run from each of its letters on.
  package var beginnings: Set<String> {
    Set(words.flatMap { word in word.indices.map { word[$0...].joinedBeginning() } })
  }

  /// The words as the beginnings to search for, without duplicates.
  package var prefixes: [String] {
    words.map { $0.joinedBeginning() }.reduce(into: []) { seen, word in
      if !seen.contains(word) { seen.append(word) }
    }
  }
}

extension Collection<String> {
  /// The length is limited, because a compatibility form can expand one character to many. No search needs more than
  /// this of a word.
  fileprivate func joinedBeginning() -> String { String(joined().unicodeScalars.prefix(64)) }
}
