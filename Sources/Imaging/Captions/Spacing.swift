/// Where letters and words are moved apart or together.
enum Spacing {
  struct Run: Equatable {
    /// UTF-8 offsets.
    var range: Range<Int>
    /// In em, behind each character.
    let spacing: Double
  }

  /// The runs of `text` that are spaced. Scripts whose letters are joined are left as they are.
  static func runs(in text: String, letters: Double, words: Double) -> [Run] {
    guard letters != 0 || words != 0 else { return [] }
    var (runs, offset): ([Run], Int) = ([], 0)
    for character in text {
      let end = offset + character.utf8.count
      defer { offset = end }
      // What is drawn as one must stay in one run, or it is not drawn as one: a digit and its keycap, a letter and its accent.
      guard let scalar = character.unicodeScalars.first,
        !character.unicodeScalars.contains(where: { $0 == "\u{FE0F}" || $0 == "\u{20E3}" })
      else { continue }
      let isShared = scalar.isASCII || (0x2010...0x206F).contains(scalar.value)
      guard isShared || isSeparate(scalar) else { continue }
      let spacing = scalar == " " ? words : letters
      if let last = runs.last, last.range.upperBound == offset, last.spacing == spacing {
        runs[runs.count - 1].range = last.range.lowerBound..<end
      } else {
        runs.append(Run(range: offset..<end, spacing: spacing))
      }
    }
    return runs
  }

  /// Whether a character is a letter or digit of a script of separate letters: Latin, Greek, Cyrillic.
  static func isSeparate(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value < 0x0530 || (0x1E00...0x1FFF).contains(scalar.value) else { return false }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.isDiacritic
  }
}
