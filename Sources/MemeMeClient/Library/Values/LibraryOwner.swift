import Foundation

/// The person to whom a library belongs, as the database stores it: `username time`, or `username time id` if the
/// server reports IDs.
struct LibraryOwner: Sendable, Equatable {
  let username: String
  /// The creation time of the account. A username becomes available again when its account is deleted or renamed.
  private let createdAt: String
  private let id: String?

  init(_ user: User) {
    username = user.username
    createdAt = WireTime.text(user.createdAt)
    id = user.id?.description
  }

  /// - Returns: `nil` if `text` is not a stored owner.
  init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard (2...3).contains(parts.count) else { return nil }
    (username, createdAt) = (parts[0], parts[1])
    id = parts.count > 2 ? parts[2] : nil
  }

  var text: String { [username, createdAt, id].compactMap(\.self).joined(separator: " ") }

  /// Whether a signed-in user is this person, perhaps under another username. A server that reports no IDs renames no
  /// one.
  func isSame(as user: LibraryOwner) -> Bool {
    guard let other = user.id else {
      return (username, createdAt) == (user.username, user.createdAt)
    }
    return id.map { $0 == other } ?? (createdAt == user.createdAt)
  }
}
