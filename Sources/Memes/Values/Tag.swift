import Foundation

/// A tag of a meme or a template: 1 to 40 letters and digits of any script, with single hyphens between them.
///
/// Tags that differ only in capitals or in the compatibility form of their characters are the same tag.
package struct Tag: Hashable, Sendable {
  /// In Unicode scalars.
  package static let maximumLength = 40
  /// The maximum number of tags of one meme or template.
  package static let maximumCount = 10

  /// In lowercase, in Unicode normalization form KC.
  package let text: String

  /// - Parameter text: may start with a `#`, which is not a part of the tag.
  package init(_ text: String) throws(InvalidValue) {
    guard let tag = Tag(text, isBeginning: false), tag.text.unicodeScalars.last != "-" else {
      throw InvalidValue(
        code: "invalid-tag",
        message:
          "A tag has 1 to \(Self.maximumLength) letters and digits, with hyphens between them."
      )
    }
    self = tag
  }

  /// The beginning of a tag, as a user types it; `nil` if no tag begins like this.
  package init?(beginning text: String) { self.init(text, isBeginning: true) }

  private init?(_ text: String, isBeginning: Bool) {
    // A character has at most 18 in the compatibility form, and only few have more than 4.
    guard text.utf8.count <= 1024 else { return nil }
    // Joiners and other invisible characters have no effect on which tag it is. They are removed first, because an
    // accent behind one of them would not be composed with its letter.
    let visible = text.unicodeScalars.drop { $0 == "#" }.filter { scalar in
      scalar.properties.generalCategory != .format && !scalar.properties.isDefaultIgnorableCodePoint
    }
    let scalars = String(String.UnicodeScalarView(visible))
      .precomposedStringWithCompatibilityMapping.lowercased()
      .precomposedStringWithCompatibilityMapping.unicodeScalars
    guard (1...Self.maximumLength).contains(scalars.count) else { return nil }
    var isAfterPiece = false
    for scalar in scalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        isAfterPiece = true
      case .nonspacingMark, .spacingMark:
        guard isAfterPiece else { return nil }
      case .dashPunctuation where scalar == "-" && isAfterPiece: isAfterPiece = false
      default: return nil
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: Self.withSigmas(Array(scalars), isBeginning: isBeginning))
    self.text = String(view)
  }

  /// Writes each small sigma in the form of its place in a word (Unicode Standard §3.13, Final_Sigma). The capital is
  /// the same for both forms. In a beginning, the last one stays as it is, because a letter may follow.
  private static func withSigmas(
    _ scalars: [Unicode.Scalar], isBeginning: Bool
  ) -> [Unicode.Scalar] {
    func isLetter(_ part: some Sequence<Unicode.Scalar>) -> Bool {
      part.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    return scalars.indices.map { index in
      let scalar = scalars[index]
      guard scalar == "σ" || scalar == "ς", !isBeginning || index + 1 < scalars.count else {
        return scalar
      }
      let isLast = !isLetter(scalars[(index + 1)...]) && isLetter(scalars[..<index].reversed())
      return isLast ? "ς" : "σ"
    }
  }

  /// Creates a tag that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

extension [Tag] {
  /// Reads the tags of a meme or a template. Repetitions are left out.
  ///
  /// - Throws: `too-many` if there are more than ``Tag/maximumCount``.
  package init(reading texts: [String]) throws(InvalidValue) {
    self = []
    for text in texts {
      let tag = try Tag(text)
      if !contains(tag) { append(tag) }
      guard count <= Tag.maximumCount else {
        throw InvalidValue(
          code: "too-many", message: "Send at most \(Tag.maximumCount) tags.")
      }
    }
  }
}

/// A tag, and how many public memes have it.
package struct CountedTag: Sendable, Equatable {
  /// Memes are counted up to this number.
  package static let maximumCount = 500

  package let tag: Tag
  package let memes: Int

  package init(_ tag: Tag, memes: Int) { (self.tag, self.memes) = (tag, memes) }
}
