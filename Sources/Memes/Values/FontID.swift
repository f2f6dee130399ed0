/// The ID of a font face in the API, such as `impact`.
package struct FontID: Hashable, Sendable {
  package let text: String

  /// - Parameter text: an ID from the font catalog, or one that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// Accepts only the IDs of `faces`.
  ///
  /// - Throws: an error that lists the valid IDs.
  package init(_ text: String, among faces: [FontFace]) throws(InvalidValue) {
    guard faces.contains(where: { $0.id.text == text }) else {
      let known = faces.map(\.id.text).joined(separator: ", ")
      throw InvalidValue(code: "unknown-font", message: "Must be one of: \(known).")
    }
    self.text = text
  }

  /// The default face of captions.
  package static let impact = FontID(stored: "impact")
  package static let sans = FontID(stored: "sans")
}
