import Foundation

/// Where the picture of a template comes from: the address of a web page.
package struct TemplateSource: Hashable, Sendable {
  package static let maximumBytes = 2048

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    // Only visible ASCII, so that the address can be a link anywhere.
    guard text.utf8.count <= Self.maximumBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false, parts.user == nil
    else {
      throw InvalidValue(
        code: "not-a-url",
        message: "Must be an http or https URL of at most \(Self.maximumBytes) bytes.")
    }
    self.text = text
  }

  /// Creates a source that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}
