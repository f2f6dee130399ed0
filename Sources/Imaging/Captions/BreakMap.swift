/// Where a text may break into lines, and how large what is between is.
///
/// Places are counted in Unicode scalars, lengths are in em and without the blanks at a line's end.
struct BreakMap {
  /// Where the lines begin, but for the first; ascending.
  typealias Breaks = [Int]

  /// Where lines begin that were typed.
  let typed: Breaks
  let forced: Set<Int>
  /// From the text's beginning to each place.
  private let offsets: [Double]
  /// For each place, where the text before it ends without the blanks at its end.
  private let inkEnds: [Int]
  /// Where a line may begin, ``typed`` among them, and the text's end.
  let words: [Int]
  /// The same, where words may be broken too.
  let letters: [Int]
  /// The ink of what is between two of ``words``.
  private let inks: [WordInk]

  /// - Parameters:
  ///   - glyphs: of each scalar, as it is drawn in its line; those that are drawn with the one before have none.
  ///   - mayBegin: for each scalar, whether a line may begin with it, and whether a line that breaks a word may.
  ///   - isRightToLeft: whether lines begin at the right.
  init(
    _ scalars: [Unicode.Scalar], glyphs: [GlyphInk?], mayBegin: [(word: Bool, letter: Bool)],
    isRightToLeft: Bool
  ) {
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

  /// Newline, line separator, paragraph separator. What else ends a line is not in a caption's text.
  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Of `breaks`, those that are not in the text.
  func added(_ breaks: Breaks) -> Breaks { breaks.filter { !forced.contains($0) } }

  /// Width of the widest line.
  func width(_ breaks: Breaks) -> Double {
    zip([0] + breaks, breaks + [offsets.count - 1]).map { width($0..<$1) }.max() ?? 0
  }

  func width(_ line: Range<Int>) -> Double {
    max(0, offsets[max(line.lowerBound, inkEnds[line.upperBound])] - offsets[line.lowerBound])
  }
}

/// Words, as what is between two places where a line may begin. They are counted here, from 0.
extension BreakMap {
  var wordCount: Int { words.count }

  /// Whether a line that was typed ends behind this word.
  func isTypedEnd(behindWord word: Int) -> Bool { forced.contains(words[word]) }

  func ink(ofWord word: Int) -> WordInk { inks[word] }

  /// What the ink of a line of these words is across.
  func width(ofWords line: Range<Int>) -> Double {
    let (first, last) = (line.lowerBound, line.upperBound - 1)
    return max(
      0,
      width(begin(ofWord: first)..<words[last]) - inks[first].bearings.begin
        - inks[last].bearings.end)
  }

  /// Where lines begin, by the words that they begin with.
  func breaks(before words: [Int]) -> Breaks { words.dropFirst().map(begin(ofWord:)) }

  private func begin(ofWord word: Int) -> Int { word > 0 ? words[word - 1] : 0 }
}
