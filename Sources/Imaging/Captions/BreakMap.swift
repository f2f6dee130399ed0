/// The positions at which a text may break into lines, and the size of the text between them.
///
/// Positions count Unicode scalars. Lengths are in em and exclude the whitespace at the end of a line.
struct BreakMap {
  /// The positions at which lines begin, in ascending order, without the first line's.
  typealias Breaks = [Int]

  /// The breaks in the text as typed.
  let typed: Breaks
  let forced: Set<Int>
  /// The distance from the beginning of the text to each position.
  private let offsets: [Double]
  /// For each position, the end of the text before it without trailing whitespace.
  private let inkEnds: [Int]
  /// The positions at which a line may begin, including ``typed``, and the end of the text.
  let words: [Int]
  /// Like ``words``, plus the positions at which a word may be split.
  let letters: [Int]
  /// The ink of each word, in order.
  private let inks: [WordInk]

  /// The positions after a soft hyphen. A line that ends there shows a hyphen.
  private let hyphenated: Set<Int>
  /// The width of a hyphen.
  private let hyphen: Double

  /// - Parameters:
  ///   - glyphs: the ink of each scalar as drawn in its line, or `nil` if the scalar is drawn with the one before it.
  ///   - mayBegin: for each scalar, whether a line may begin with it, and whether a line that splits a word may.
  ///   - isRightToLeft: whether lines begin at the right.
  init(
    _ scalars: [Unicode.Scalar], glyphs: [GlyphInk?], mayBegin: [(word: Bool, letter: Bool)],
    isRightToLeft: Bool, hyphen: Double = 0
  ) {
    self.hyphen = hyphen
    hyphenated = Set(scalars.indices.dropLast().filter { scalars[$0] == "\u{AD}" }.map { $0 + 1 })
    offsets = glyphs.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1?.advance ?? 0)) }
    var (ends, end): ([Int], Int) = ([0], 0)
    for (place, scalar) in scalars.enumerated() {
      if !scalar.properties.isWhitespace { end = place + 1 }
      ends.append(end)
    }
    inkEnds = ends
    typed = scalars.indices.filter { Self.endsLine(scalars[$0]) }.map { $0 + 1 }
    let forced = Set(typed)
    self.forced = forced
    let inside = 1..<max(scalars.count, 1)
    words = inside.filter { forced.contains($0) || mayBegin[$0].word } + [scalars.count]
    letters =
      inside.filter { forced.contains($0) || mayBegin[$0].word || mayBegin[$0].letter }
      + [scalars.count]
    inks = zip([0] + words, words).map { begin, end in
      let drawn = (begin..<end).lazy.filter { !scalars[$0].properties.isWhitespace }
      return WordInk(drawn.map { glyphs[$0] }, isRightToLeft: isRightToLeft)
    }
  }

  /// Newline, line separator or paragraph separator. A caption's text contains no other line terminators.
  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Returns the breaks that the typed text does not contain.
  func added(_ breaks: Breaks) -> Breaks { breaks.filter { !forced.contains($0) } }

  /// The width of the widest line.
  func width(_ breaks: Breaks) -> Double {
    zip([0] + breaks, breaks + [offsets.count - 1]).map { width($0..<$1) }.max() ?? 0
  }

  func width(_ line: Range<Int>) -> Double {
    let width = offsets[max(line.lowerBound, inkEnds[line.upperBound])] - offsets[line.lowerBound]
    return max(0, width) + (hyphenated.contains(line.upperBound) ? hyphen : 0)
  }
}

/// Access by word. A word is the text between two positions at which a line may begin. Words are numbered from 0.
extension BreakMap {
  var wordCount: Int { words.count }

  /// Whether a typed line ends after this word.
  func isTypedEnd(behindWord word: Int) -> Bool { forced.contains(words[word]) }

  func ink(ofWord word: Int) -> WordInk { inks[word] }

  /// The width of the ink of a line with these words.
  func width(ofWords line: Range<Int>) -> Double {
    let (first, last) = (line.lowerBound, line.upperBound - 1)
    return max(
      0,
      width(begin(ofWord: first)..<words[last]) - inks[first].bearings.begin
        - inks[last].bearings.end)
  }

  /// Returns the breaks of lines that begin with these words. The first word begins the first line and needs no break.
  func breaks(before words: [Int]) -> Breaks { words.dropFirst().map(begin(ofWord:)) }

  private func begin(ofWord word: Int) -> Int { word > 0 ? words[word - 1] : 0 }
}
