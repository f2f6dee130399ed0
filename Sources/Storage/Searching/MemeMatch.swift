import Memes

/// What a search looks for, as a query of SQLite's full-text index and as a test of a meme's words. A search has ranks:
/// each one excludes the matches of those before it.
struct MemeMatch {
  /// The ranks in the order of relevance. The matches of each are in the order of the memes' numbers: a ranking by
  /// relevance would have to weigh all matches before the first page.
  enum Rank: CaseIterable {
    /// The words as a phrase in the captions. It has no matches of its own if the words are one phrase.
    case phrase
    /// All words in the captions.
    case captions
    /// All words, but not all of them in the captions.
    case rest
  }

  /// The maximum number of pieces in a phrase. FTS5 opens all entries of each piece, and compares them at every
  /// position. A longer phrase is split into several, which must all match.
  private static let longestPhrase = 8

  /// The phrases that the words form together.
  private let phrase: [[String]]
  /// The phrases of each word.
  private let all: [[String]]
  private let isOnePhrase: Bool
  /// A `users.seq`; `nil` to match the memes of all authors.
  let author: Int64?

  init(_ words: SearchWords, author: Int64?) {
    phrase = Self.phrases([words.pieces])
    all = Self.phrases(words.words)
    isOnePhrase = words.words.count == 1
    self.author = author
  }

  var ranks: [Rank] { isOnePhrase ? [.captions, .rest] : Rank.allCases }

  /// Phrases for all runs of pieces, without duplicates.
  private static func phrases(_ runs: [[String]]) -> [[String]] {
    var seen: Set<[String]> = []
    return runs.flatMap { run in
      stride(from: 0, to: run.count, by: longestPhrase).map {
        Array(run.dropFirst($0).prefix(longestPhrase))
      }
    }
    .filter { seen.insert($0).inserted }
  }
}

/// In the language of FTS5 (https://sqlite.org/fts5.html §3).
///
/// Every word is a string of that language. ``SearchWords`` contain no quotation marks, so FTS5 reads client input only
/// as words.
extension MemeMatch {
  /// - Parameter rank: `nil` to match all words in any position.
  func fullText(_ rank: Rank?) -> String {
    let (phrase, all) = (Self.text(phrase), Self.text(all))
    let (captions, anywhere) = ("captions : (\(all))", "{captions alt_text} : (\(all))")
    let text =
      switch rank {
      case nil: anywhere
      case .phrase: "captions : (\(phrase))"
      case .captions: isOnePhrase ? captions : "(\(captions)) NOT captions : (\(phrase))"
      case .rest: "(\(anywhere)) NOT (\(captions))"
      }
    return "(\(text))" + (author.map { " AND author : \"\($0)\"" } ?? "")
  }

  private static func text(_ phrases: [[String]]) -> String {
    phrases.map { "\"\($0.joined(separator: " "))\"" }.joined(separator: " AND ")
  }
}

/// For an index of single pieces.
extension MemeMatch {
  /// All pieces, without duplicates. The longest comes first: it is probably the rarest.
  var pieces: [String] {
    Set(all.flatMap(\.self)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Whether the search is for one piece, once. Then every meme with the piece matches.
  var isOnePiece: Bool { phrase.count == 1 && phrase[0].count == 1 }

  /// Whether a meme with these words, which contain all ``pieces``, matches.
  func accepts(_ words: MemeWords, _ rank: Rank?) -> Bool {
    let (captions, altText) = (words.captions.pieces, words.altText.pieces)
    let isInCaptions = all.allSatisfy(captions.contains)
    return switch rank {
    case nil: isAnywhere(captions, altText)
    case .phrase: phrase.allSatisfy(captions.contains)
    case .captions: isInCaptions && (isOnePhrase || !phrase.allSatisfy(captions.contains))
    case .rest: !isInCaptions && isAnywhere(captions, altText)
    }
  }

  private func isAnywhere(_ captions: [String], _ altText: [String]) -> Bool {
    all.allSatisfy { captions.contains($0) || altText.contains($0) }
  }
}
