/// What clients call a face, such as `impact`.
package struct FontID: Hashable, Sendable {
  package let text: String

  /// - Parameter text: an id that a catalogue has, or had when it was stored.
  package init(stored text: String) { self.text = text }

  /// Takes only the ids of `faces`.
  ///
  /// - Throws: a reason that names all of them.
  package init(_ text: String, among faces: [FontFace]) throws(InvalidValue) {
    guard faces.contains(where: { $0.id.text == text }) else {
      let known = faces.map(\.id.text).joined(separator: ", ")
      throw InvalidValue(code: "unknown-font", message: "One of: \(known).")
    }
    self.text = text
  }

  /// The face of a caption that asks for none.
  package static let impact = FontID(stored: "impact")
}
