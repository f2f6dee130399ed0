import Foundation
import Memes
import SQL

/// Row-level access rules as SQL predicates. Lists of memes repeat the visibility
/// condition so that an index can answer it (``MemeSelection``, ``MemeDirection``).
///
/// Every statement with such a predicate binds ``person`` as `?1`.
struct AccessPolicy {
  let viewer: Principal

  init(_ viewer: Principal) { self.viewer = viewer }

  /// The bytes of the viewer's ID; `nil` if the viewer has no account.
  var person: [UInt8]? { viewer.person?.bytes }

  /// The viewer's `users.seq`, which other tables refer to. SQLite evaluates this once for each statement.
  static let asking = "(SELECT seq FROM users WHERE id = ?1)"

  /// Whether the viewer may see a row of `memes` or `deleted_memes`.
  func sees(_ table: String = "memes") -> String {
    switch viewer {
    case .administrator, .admin: "TRUE"
    // A `deleteToken` gives access only to memes without an author, and those are public.
    case .anonymous, .deleteTokenHolder: "\(table).visibility = 0"
    case .person:
      """
      (\(table).visibility = 0 AND (\(table).author IS NULL OR NOT \(Self.isBlockedEitherWay("\(table).author")))
        OR \(table).author = \(Self.asking)
        OR \(table).visibility = 1 AND \(Self.isFriend("\(table).author")))
      """
    }
  }

  /// Whether the viewer may see the meme whose picture a row of `memes` has.
  var seesSource: String {
    """
    EXISTS (SELECT 1 FROM memes AS source
      WHERE source.id = memes.remix_of AND source.deleted_at IS NULL AND \(sees("source")))
    """
  }

  /// Whether the viewer has an owner's rights on a row of `memes` or `templates`.
  ///
  /// - Parameter thing: the resource of the row.
  func owns(_ thing: ResourceRef, _ table: String = "memes") -> String {
    switch viewer {
    case .administrator, .admin: "TRUE"
    case .anonymous: "FALSE"
    case .deleteTokenHolder(let held): held == thing ? "\(table).author IS NULL" : "FALSE"
    case .person: "\(table).author = \(Self.asking)"
    }
  }

  /// Whether the viewer may see a person.
  ///
  /// - Parameter person: an SQL expression for the person's `users.seq`.
  func sees(person: String) -> String {
    hidesPeople ? "NOT \(Self.isBlockedEitherWay(person))" : "TRUE"
  }

  /// Whether the viewer may see a row of `comments`, joined to `memes`.
  var seesComment: String {
    hidesPeople ? "NOT \(Self.hidesComment(by: "comments.user"))" : "TRUE"
  }

  /// Whether the comment of a person on the meme in `memes` is hidden from the viewer. The author of a meme sees the
  /// comments of people who block them. Otherwise, everyone except the author could read an insult.
  static func hidesComment(by person: String) -> String {
    """
    (\(blocks(asking, person))
      OR memes.author IS DISTINCT FROM \(asking) AND \(blocks(person, asking)))
    """
  }

  /// Whether some people may be hidden from the viewer.
  var hidesPeople: Bool { viewer.person != nil && !viewer.isAdmin }

  /// Whether a person and the viewer follow each other.
  static func isFriend(_ person: String) -> String {
    "(\(follows(asking, person)) AND \(follows(person, asking)))"
  }

  static func follows(_ follower: String, _ followed: String) -> String {
    "EXISTS (SELECT 1 FROM follows WHERE follower = \(follower) AND followed = \(followed))"
  }

  static func blocks(_ blocker: String, _ blocked: String) -> String {
    "EXISTS (SELECT 1 FROM blocks WHERE blocker = \(blocker) AND blocked = \(blocked))"
  }

  /// Whether a person blocks the viewer, or the viewer blocks the person.
  static func isBlockedEitherWay(_ person: String, and viewer: String = asking) -> String {
    "(\(blocks(person, viewer)) OR \(blocks(viewer, person)))"
  }
}

/// The text of a statement for each kind of viewer, built once.
struct PerViewerSQL {
  private let everything: String
  private let everybodys: String
  private let persons: String

  init(_ text: (AccessPolicy) -> String) {
    everything = text(AccessPolicy(.admin))
    everybodys = text(AccessPolicy(.anonymous))
    // The ID does not matter, because statements bind it.
    persons = text(AccessPolicy(.person(UserID(UUID()))))
  }

  subscript(policy: AccessPolicy) -> String {
    switch policy.viewer {
    case .administrator, .admin: everything
    case .anonymous, .deleteTokenHolder: everybodys
    case .person: persons
    }
  }
}

extension Visibility {
  /// The stored value.
  var number: Int {
    switch self {
    case .public: 0
    case .friends: 1
    case .private: 2
    }
  }
}

extension Row {
  mutating func nextVisibility() throws -> Visibility {
    switch try next() as Int {
    case 0: return .public
    case 1: return .friends
    case 2: return .private
    default: throw DatabaseError(.mismatch, "Unknown visibility in the database.")
    }
  }

  /// Decodes the ID, username, display name and avatar of an author. Returns `nil` if the row has no author.
  mutating func nextAuthor() throws -> Author? {
    guard try !isNextNull else {
      try skip(4)
      return nil
    }
    return Author(
      id: UserID(try nextUUID()), username: Username(stored: try next()),
      displayName: (try next() as String?).map(DisplayName.init(stored:)),
      avatar: (try next() as String?).map(AvatarVersion.init(stored:)))
  }
}

/// The `users.seq` of the author of a new item; `nil` if the author has no account.
///
/// - Throws: ``MemeError/unauthorized`` if the account has been deleted.
func authorNumber(
  _ person: UserID?, in db: borrowing Transaction
) throws -> Int64? {
  guard let person else { return nil }
  let found: Int64? = try db.value("SELECT seq FROM users WHERE id = ?", person.bytes)
  guard let found else { throw MemeError.unauthorized }
  return found
}
