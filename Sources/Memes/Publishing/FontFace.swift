import Bytes

/// A font face.
package struct FontFace: Sendable, Equatable {
  /// The ID of the face in the API.
  package let id: FontID
  /// The font family that the face should look like.
  package let family: String
  /// The installed font that is used for the face.
  package let installed: String
  package let fitting: FontFitting
  /// Whether clients may download the font file. The license of the font must permit that.
  package let hasFile: Bool
  /// Whether the installed font draws a to z in lower case, not as capitals or small capitals.
  package let hasLowercase: Bool
  /// The ISO 15924 codes of the scripts that the installed font covers itself, sorted.
  package let scripts: [String]

  package init(
    id: FontID, family: String, installed: String, fitting: FontFitting = FontFitting(),
    hasFile: Bool = false, hasLowercase: Bool = true, scripts: [String] = []
  ) {
    (self.id, self.family, self.installed) = (id, family, installed)
    (self.fitting, self.hasFile) = (fitting, hasFile)
    (self.hasLowercase, self.scripts) = (hasLowercase, scripts)
  }
}

/// Adjustments that make an installed font look more like the intended one. Lengths are in em
/// of the caption's font size.
package struct FontFitting: Sendable, Equatable {
  /// The font size, as a multiple of the caption's font size.
  package var scale = 1.0
  /// The width of a stroke in the fill color around letters that are too thin.
  package var fatten = 0.0
  /// Additional space between letters.
  package var letterSpacing = 0.0
  /// Additional space between words.
  package var wordSpacing = 0.0
  /// The horizontal scale of letters.
  package var stretch = 1.0

  package init() {}
}
