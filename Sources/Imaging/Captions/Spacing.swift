/// Computes the letter and word spacing of a text.
enum Spacing {
  struct Run: Equatable {
    /// UTF-8 offsets.
    var range: Range<Int>
    /// The extra space after each character, in em.
    let spacing: Double
  }

  /// Returns the runs of `text` with extra spacing. Scripts with joined letters get none.
  static func runs(in text: String, letters: Double, words: Double) -> [Run] {
    guard letters != 0 || words != 0 else { return [] }
    var (runs, offset): ([Run], Int) = ([], 0)
    for character in text {
      let end = offset + character.utf8.count
      defer { offset = end }
      // A digit and its keycap, or a letter and its accent, must stay in one run. Otherwise they are drawn separately.
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

  /// Whether a scalar is a letter, digit or diacritic of a script with separate letters: Latin, Greek, Cyrillic.
  static func isSeparate(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value < 0x0530 || (0x1E00...0x1FFF).contains(scalar.value) else { return false }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.isDiacritic
  }
}
