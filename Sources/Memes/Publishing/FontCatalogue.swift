package import Bytes

/// The faces that captions can be drawn in.
package protocol FontCatalogue: Sendable {
  var faces: [FontFace] { get }

  /// A small picture of the face at work, as PNG.
  ///
  /// - Throws: ``MemeError/notFound`` for an id that ``faces`` does not have.
  func sample(of id: FontID) async throws(MemeError) -> Bytes

  /// The face's own file, for those who draw captions themselves.
  ///
  /// - Throws: ``MemeError/notFound`` for an id that ``faces`` does not have, and for a face without
  ///   ``FontFace/hasFile``.
  func file(of id: FontID) async throws(MemeError) -> Bytes
}

/// One face.
package struct FontFace: Sendable, Equatable {
  /// What clients call it.
  package let id: FontID
  /// What it is meant to look like.
  package let family: String
  /// What this machine has for it.
  package let installed: String
  package let fitting: FontFitting
  /// Whether the face's file is one that its makers let anybody have.
  package let hasFile: Bool

  package init(
    id: FontID, family: String, installed: String, fitting: FontFitting = FontFitting(),
    hasFile: Bool = false
  ) {
    (self.id, self.family, self.installed) = (id, family, installed)
    (self.fitting, self.hasFile) = (fitting, hasFile)
  }
}

/// How a face is drawn so that it comes near the one that is meant. Lengths are in em of the caption's font size.
package struct FontFitting: Sendable, Equatable {
  /// The font size that it is drawn at, as a multiple of the caption's.
  package var scale = 1.0
  /// The width of a pen in the fill's colour around letters that are too thin.
  package var fatten = 0.0
  /// What is added between letters.
  package var letterSpacing = 0.0
  /// What is added to the space between words.
  package var wordSpacing = 0.0
  /// How much wider letters are drawn.
  package var stretch = 1.0

  package init() {}
}
