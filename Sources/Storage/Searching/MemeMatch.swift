import Foundation
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

  /// Adjacent pieces.
  struct Phrase: Hashable {
    let pieces: [String]
    /// The pieces, each between two spaces.
    let text: String

    init(_ pieces: some Collection<String>) {
      self.pieces = Array(pieces)
      text = " \(self.pieces.joined(separator: " ")) "
    }
  }

  /// The phrases that the words form together.
  private let phrase: [Phrase]
  /// The phrases of each word.
  private let all: [Phrase]
  private let isOnePhrase: Bool
  /// A `users.seq`; `nil` to match the memes of all authors.
  let author: Int64?

  init(_ words: SearchWords, author: Int64?) {
    let joined = Self.phrases([words.pieces])
    all = Self.phrases(words.words)
    // Of a long phrase, the parts may be in a meme that does not have every word.
    phrase = joined.count > 1 ? joined + all.filter { !joined.contains($0) } : joined
    isOnePhrase = words.words.count == 1
    self.author = author
  }

  var ranks: [Rank] { isOnePhrase ? [.captions, .rest] : Rank.allCases }

  /// Phrases for all runs of pieces, without duplicates.
  private static func phrases(_ runs: [[String]]) -> [Phrase] {
    var seen: Set<Phrase> = []
    return runs.flatMap { run in
      stride(from: 0, to: run.count, by: longestPhrase).map {
        Phrase(run.dropFirst($0).prefix(longestPhrase))
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

  /// Each piece alone, without duplicates, and the author. Every match has all of them.
  var singleWords: [String] {
    (author.map { ["author : \"\($0)\""] } ?? [])
      + pieces.map { "{captions alt_text} : \(Self.text([Phrase([$0])]))" }
  }

  private static func text(_ phrases: [Phrase]) -> String {
    phrases.map { "\"\($0.pieces.joined(separator: " "))\"" }.joined(separator: " AND ")
  }
}

/// For an index of single pieces.
extension MemeMatch {
  /// All pieces, without duplicates. The longest comes first: it is probably the rarest.
  var pieces: [String] {
    Set(all.flatMap(\.pieces)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// Whether the search is for one piece, once. Then every meme with the piece matches.
  var isOnePiece: Bool { phrase.count == 1 && phrase[0].pieces.count == 1 }

  /// Whether a meme with these pieces has a rank.
  ///
  /// - Parameter rank: `nil` for any position of the words.
  func accepts(_ meme: MemePieces, _ rank: Rank?) -> Bool {
    switch rank {
    case nil: all.allSatisfy(meme.contain)
    case .phrase: phrase.allSatisfy(meme.captionsContain)
    case .captions:
      all.allSatisfy(meme.captionsContain)
        && (isOnePhrase || !phrase.allSatisfy(meme.captionsContain))
    case .rest: all.allSatisfy(meme.contain) && !all.allSatisfy(meme.captionsContain)
    }
  }
}

/// The pieces of a meme's words, as texts in which each one is between two spaces.
struct MemePieces {
  private let captions: String
  private let altText: String

  init(_ words: MemeWords) { self.init(captions: words.captions.text, altText: words.altText.text) }

  /// - Parameter captions: pieces separated by spaces, as in the full-text index.
  init(captions: String, altText: String) {
    (self.captions, self.altText) = (" \(captions) ", " \(altText) ")
  }

  func captionsContain(_ phrase: MemeMatch.Phrase) -> Bool {
    // Many times as fast as `contains`. Pieces contain no NUL.
    strstr(captions, phrase.text) != nil
  }

  func contain(_ phrase: MemeMatch.Phrase) -> Bool {
    captionsContain(phrase) || strstr(altText, phrase.text) != nil
  }
}
