package import Bytes

/// The faces that captions can be drawn in.
package protocol FontCatalogue: Sendable {
  var faces: [FontFace] { get }

  /// A small picture of the face at work, as PNG.
  ///
  /// - Throws: ``MemeError/notFound`` for an id that ``faces`` does not have.
  func sample(of id: FontID) async throws(MemeError) -> Bytes
}

/// One face.
package struct FontFace: Sendable, Equatable {
  /// What clients call it.
  package let id: FontID
  /// What it is meant to look like.
  package let family: String
  /// What this machine has for it.
  package let installed: String

  package init(id: FontID, family: String, installed: String) {
    (self.id, self.family, self.installed) = (id, family, installed)
  }
}
