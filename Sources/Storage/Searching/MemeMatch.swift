import Memes

/// What is asked of `meme_words`, in the language of FTS5 queries (https://sqlite.org/fts5.html §3).
///
/// Every word is a string of that language, and a ``SearchWords`` has no quotation marks in it: nothing that a client sends is
/// read as anything but words.
struct MemeMatch {
  /// FTS5 opens all that it has of each piece of a phrase, and compares them at every place. A longer one is several, which are all
  /// to be there.
  private static let longestPhrase = 8

  private let phrase: String
  private let all: String
  private let isOnePhrase: Bool
  /// Of what has an author; nothing where anybody's is wanted.
  private let suffix: String

  /// - Parameter author: a `users.seq`.
  init(_ words: SearchWords, author: Int64?) {
    phrase = Self.phrases([words.pieces])
    all = Self.phrases(words.words)
    isOnePhrase = words.words.count == 1
    suffix = author.map { " AND author : \"\($0)\"" } ?? ""
  }

  /// All words, wherever they stand.
  var anywhere: String { "({captions alt_text} : (\(all)))\(suffix)" }

  /// What is found first, by what counts for more: the words as they stand in the captions, all words in the captions, all words
  /// anywhere. None has what one before it has.
  ///
  /// Each is in the order of the memes' numbers. One order by worth would have to weigh all that is found before it showed a page.
  var tiers: [String] {
    let captions = "captions : (\(all))"
    let inOrder = isOnePhrase ? [] : ["captions : (\(phrase))"]
    let rest = isOnePhrase ? captions : "(\(captions)) NOT captions : (\(phrase))"
    return inOrder.map { "(\($0))\(suffix)" } + [
      "(\(rest))\(suffix)", "(({captions alt_text} : (\(all))) NOT (\(captions)))\(suffix)",
    ]
  }

  /// All runs of pieces, each once.
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
