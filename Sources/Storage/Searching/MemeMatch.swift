import Memes

/// What is asked of `meme_words`, in the language of FTS5 queries (https://sqlite.org/fts5.html §3).
///
/// Every word is a string of that language, and a ``SearchWords`` has no quotation marks in it: nothing that a client sends is
/// read as anything but words.
struct MemeMatch {
  private let phrase: String
  private let all: String
  private let isOnePhrase: Bool
  /// Of what has an author; nothing where anybody's is wanted.
  private let suffix: String

  /// - Parameter author: a `users.seq`.
  init(_ words: SearchWords, author: Int64?) {
    phrase = Self.string(words.pieces)
    var seen: Set<[String]> = []
    all = words.words.filter { seen.insert($0).inserted }.map(Self.string)
      .joined(separator: " AND ")
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
    let inOrder = isOnePhrase ? [] : ["captions : \(phrase)"]
    let rest = isOnePhrase ? captions : "(\(captions)) NOT captions : \(phrase)"
    return inOrder.map { "(\($0))\(suffix)" } + [
      "(\(rest))\(suffix)", "(({captions alt_text} : (\(all))) NOT (\(captions)))\(suffix)",
    ]
  }

  private static func string(_ pieces: [String]) -> String {
    "\"\(pieces.joined(separator: " "))\""
  }
}
