import JSON

/// The claim that makes a user an admin, such as `groups=meme-admins`.
package struct AdminClaim: Sendable, Equatable {
  package let name: String
  /// The text that the claim must have or contain; `nil` if the claim must be `true`.
  package let value: String?

  /// - Returns: `nil` if the text has no name, or an empty value.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, parts.last?.isEmpty == false else { return nil }
    self.name = String(name)
    value = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Whether the claim has the value: as a string, in an array of strings, or as `true` if no value is wanted.
  ///
  /// - Parameter claim: `nil` if the provider did not send it.
  func holds(for claim: JSON?) -> Bool {
    guard let value else { return claim == .bool(true) }
    return switch claim {
    case .text(let text): text == value
    case .array(let elements): elements.contains(.text(value))
    default: false
    }
  }
}
