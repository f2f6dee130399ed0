import Memes

/// A query of `meme_words` in the language of FTS5 (https://sqlite.org/fts5.html §3).
///
/// Every word is a string of that language. ``SearchWords`` contain no quotation marks, so FTS5 reads client input only
/// as words.
struct MemeMatch {
  /// The maximum number of pieces in a phrase. FTS5 opens all entries of each piece, and compares them at every
  /// position. A longer phrase is split into several, which must all match.
  private static let longestPhrase = 8

  private let phrase: String
  private let all: String
  private let isOnePhrase: Bool
  /// Restricts the matches to an author; empty to match all authors.
  private let suffix: String

  /// - Parameter author: a `users.seq`.
  init(_ words: SearchWords, author: Int64?) {
    phrase = Self.phrases([words.pieces])
    all = Self.phrases(words.words)
    isOnePhrase = words.words.count == 1
    suffix = author.map { " AND author : \"\($0)\"" } ?? ""
  }

  /// Matches all words, in any position.
  var anywhere: String { "({captions alt_text} : (\(all)))\(suffix)" }

  /// The queries in the order of relevance: the words as a phrase in the captions, all words in the captions, all words
  /// anywhere. Each one excludes the matches of those before it.
  ///
  /// The matches of each query are in the order of the memes' numbers. A ranking by relevance would have to weigh all
  /// matches before the first page.
  var tiers: [String] {
    let captions = "captions : (\(all))"
    let inOrder = isOnePhrase ? [] : ["captions : (\(phrase))"]
    let rest = isOnePhrase ? captions : "(\(captions)) NOT captions : (\(phrase))"
    return inOrder.map { "(\($0))\(suffix)" } + [
      "(\(rest))\(suffix)", "(({captions alt_text} : (\(all))) NOT (\(captions)))\(suffix)",
    ]
  }

  /// Phrases for all runs of pieces, without duplicates.
  private static func phrases(_ runs: [[String]]) -> String {
    var seen: Set<ArraySlice<String>> = []
    return runs.flatMap { run in
      stride(from: 0, to: run.count, by: longestPhrase).map {
        run.dropFirst($0).prefix(longestPhrase)
      }
    }
    .filter { seen.insert($0).inserted }
    .map { "\"\($0.joined(separator: " "))\"" }
    .joined(separator: " AND ")
  }
}
