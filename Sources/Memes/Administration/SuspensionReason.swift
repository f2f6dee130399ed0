/// The reason for a suspension, for admins to read. Up to 1000 characters.
package struct SuspensionReason: Hashable, Sendable {
  package static let maximumCharacters = 1000

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    guard !text.utf8.contains(0) else { throw .nul }
    guard text.utf8.count <= 16 * Self.maximumCharacters, text.count <= Self.maximumCharacters
    else { throw .tooLong(limit: Self.maximumCharacters) }
    self.text = text
  }
}
