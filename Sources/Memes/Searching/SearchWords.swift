import Foundation

/// The words of a text in the form that searches compare: without capitals, accents and compatibility variants.
///
/// A word is a run of letters and digits. In scripts without spaces between words, each letter is a separate piece. A
/// run of such letters matches wherever its pieces are adjacent. Each emoji is a word. Of more than two equal pieces in
/// a row, only two are kept. A piece that is longer than any real word is cut.
package struct SearchWords: Hashable, Sendable {
  /// The maximum length of a piece, in Unicode scalars of at most 4 bytes each. PostgreSQL limits an entry of an index
  /// to 2,704 bytes.
  private static let longestPiece = 500

  /// The pieces of each word, in the order of the text. No piece is empty, or contains a space or ASCII punctuation.
  package private(set) var words: [[String]] = []

  package init(_ text: String) {
    var run = Run()
    for scalar in Self.folded(text).unicodeScalars {
      switch Self.part(scalar) {
      case .letter:
        if run.isOfLone { words.append(contentsOf: run.end()) }
        run.piece.append(scalar)
      case .lone:
        if !run.isOfLone { words.append(contentsOf: run.end()) }
        run.endPiece()
        run.isOfLone = true
        run.piece.append(scalar)
      case .mark: if !run.piece.isEmpty { run.piece.append(scalar) }
      case .emoji: words += run.end() + [[String(scalar)]]
      case .nothing: continue
      case .end: words += run.end()
      }
    }
    words = Self.withoutRepeats(words + run.end())
  }

  /// People repeat laughter at any length, in queries too. In a phrase, each repetition of a common piece costs a
  /// search as much as the piece itself.
  private static func withoutRepeats(_ words: [[String]]) -> [[String]] {
    var (last, count) = ("", 0)
    return words.compactMap { word in
      let kept = word.filter { piece in
        (last, count) = (piece, piece == last ? count + 1 : 1)
        return count <= 2
      }
      return kept.isEmpty ? nil : kept
    }
  }

  package var pieces: [String] { words.flatMap(\.self) }

  package var isEmpty: Bool { words.isEmpty }

  /// The text to index: all pieces, separated by spaces.
  package var text: String { pieces.joined(separator: " ") }

  /// The word that is being read.
  private struct Run {
    var piece = String.UnicodeScalarView()
    var isOfLone = false
    private var pieces: [String] = []

    mutating func endPiece() {
      if !piece.isEmpty { pieces.append(String(piece.prefix(SearchWords.longestPiece))) }
      piece = String.UnicodeScalarView()
    }

    /// - Returns: the word, if there is one.
    mutating func end() -> [[String]] {
      endPiece()
      defer { (pieces, isOfLone) = ([], false) }
      return pieces.isEmpty ? [] : [pieces]
    }
  }
}

extension SearchWords {
  private enum Part { case letter, lone, mark, emoji, nothing, end }

  /// Maps compatibility forms to their plain characters, lowercases, and removes accents (Unicode Standard
  /// Annex 15, §3.13).
  private static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var bare = String.UnicodeScalarView()
    bare.append(
      contentsOf: text.decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
        !isAccent($0)
      })
    // Lowercases via uppercase, because several lowercase letters share a capital: ς and σ, ß and ss. Then recomposes
    // the decomposed letters whose marks are not accents: Korean, and voiced kana.
    return String(bare).lowercased().uppercased().lowercased().precomposedStringWithCanonicalMapping
  }

  private static func part(_ scalar: Unicode.Scalar) -> Part {
    if scalar.isASCII { return scalar.properties.isAlphabetic || isDigit(scalar) ? .letter : .end }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return isLone(scalar) ? .lone : .letter
    case .decimalNumber, .letterNumber, .otherNumber: return .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    // Joiners and directional marks.
    case .format: return .nothing
    case .otherSymbol, .modifierSymbol:
      if scalar.properties.isEmojiModifier { return .nothing }
      // Regional indicators: two of them form a flag.
      if (0x1F1E6...0x1F1FF).contains(scalar.value) { return .lone }
      return scalar.properties.isEmoji ? .emoji : .end
    default: return .end
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(UInt8(ascii: scalar))
  }

  /// Marks that do not change the identity of a word: accents, Hebrew and Arabic points, the Arabic
  /// elongation, variation selectors.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
      0x0591...0x05BD, 0x05BF...0x05C7, 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670,
      0x06D6...0x06ED, 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      true
    default: false
    }
  }

  /// Whether the letter belongs to a script without spaces between words. Also true for scripts like Korean, which
  /// attach endings to words.
  private static func isLone(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isIdeographic { return true }
    switch scalar.value {
    case 0x0E00...0x0EFF,  // Thai, Lao
      0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,  // Burmese and related scripts
      0x1780...0x17FF,  // Khmer
      0x1950...0x19DF, 0x1A20...0x1AAF, 0xAA80...0xAADF,  // Tai
      0x1B00...0x1B7F, 0xA980...0xA9DF,  // Balinese, Javanese
      0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF,  // Korean
      0x3040...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x1AFF0...0x1B16F,  // kana, Bopomofo
      0xA000...0xA4CF:  // Yi
      return true
    default: return false
    }
  }
}
