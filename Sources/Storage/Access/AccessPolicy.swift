import Foundation
import Memes
import SQLite

/// What a viewer may see and change, as conditions on rows: the one place that says so in SQL.
///
/// Every statement with such a condition binds ``person`` as `?1`.
struct Sight {
  let viewer: Viewer

  init(_ viewer: Viewer) { self.viewer = viewer }

  /// The person who asks, as bytes of their id; `nil` where nobody is signed in.
  var person: [UInt8]? { viewer.person?.bytes }

  /// What other tables call the person who asks; SQLite looks it up once for a statement.
  static let asking = "(SELECT seq FROM users WHERE id = ?1)"

  /// Whether the viewer may see a row of `memes`, or of `deleted_memes`.
  func sees(_ table: String = "memes") -> String {
    switch viewer {
    case .administrator, .admin: "1"
    // A deleteToken opens what is nobody's, and that is for everybody.
    case .anonymous, .holder: "\(table).visibility = 0"
    case .person:
      """
      (\(table).visibility = 0 AND (\(table).author IS NULL OR NOT \(Self.isApart("\(table).author")))
        OR \(table).author = \(Self.asking)
        OR \(table).visibility = 1 AND \(Self.isFriend("\(table).author")))
      """
    }
  }

  /// Whether the viewer may do with a row of `memes` or `templates` what only its owner may.
  ///
  /// - Parameter thing: that the row is of.
  func owns(_ thing: Possession, _ table: String = "memes") -> String {
    switch viewer {
    case .administrator, .admin: "1"
    case .anonymous: "0"
    case .holder(let held): held == thing ? "\(table).author IS NULL" : "0"
    case .person: "\(table).author = \(Self.asking)"
    }
  }

  /// Whether the viewer may see a person, by an expression for their `users.seq`.
  func sees(person: String) -> String {
    hidesPeople ? "NOT \(Self.isApart(person))" : "1"
  }

  /// Whether there may be people whom the viewer does not see.
  var hidesPeople: Bool { viewer.person != nil && !viewer.isAdmin }

  /// Whether a person and who asks follow each other.
  static func isFriend(_ person: String) -> String {
    "(\(follows(asking, person)) AND \(follows(person, asking)))"
  }

  static func follows(_ follower: String, _ followed: String) -> String {
    "EXISTS (SELECT 1 FROM follows WHERE follower = \(follower) AND followed = \(followed))"
  }

  static func blocks(_ blocker: String, _ blocked: String) -> String {
    "EXISTS (SELECT 1 FROM blocks WHERE blocker = \(blocker) AND blocked = \(blocked))"
  }

  /// Whether a person blocks who asks, or the other way round.
  static func isApart(_ person: String) -> String {
    "(\(blocks(person, asking)) OR \(blocks(asking, person)))"
  }
}

/// A statement for each kind of viewer, put together once.
struct SightedText {
  private let everything: String
  private let everybodys: String
  private let persons: String

  init(_ text: (Sight) -> String) {
    everything = text(Sight(.admin))
    everybodys = text(Sight(.anonymous))
    // Which person it is, is bound.
    persons = text(Sight(.person(UserID(UUID()))))
  }

  subscript(sight: Sight) -> String {
    switch sight.viewer {
    case .administrator, .admin: everything
    case .anonymous, .holder: everybodys
    case .person: persons
    }
  }
}

extension Visibility {
  /// As it is stored.
  var number: Int {
    switch self {
    case .public: 0
    case .friends: 1
    case .private: 2
    }
  }
}

extension Row {
  func visibility(at column: Int) throws(SQLiteError) -> Visibility {
    switch try self[column] as Int {
    case 0: return .public
    case 1: return .friends
    case 2: return .private
    default: throw SQLiteError(.mismatch, "A visibility is stored that is unknown.")
    }
  }

  /// Decodes id, username, display name and picture of an author, in four columns from `column` on; `nil` where there is none.
  func author(at column: Int) throws(SQLiteError) -> Author? {
    guard let username = try self[column + 1] as String? else { return nil }
    return Author(
      id: UserID(try uuid(at: column)), username: Username(stored: username),
      displayName: (try self[column + 2] as String?).map(DisplayName.init(stored:)),
      avatar: (try self[column + 3] as String?).map(AvatarVersion.init(stored:)))
  }
}

/// The `users.seq` of a person who makes something; `nil` where a viewer without an account does.
///
/// - Throws: ``MemeError/unauthorized`` where the person left.
func authorNumber(
  _ person: UserID?, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64? {
  guard let person else { return nil }
  let found = try db.first("SELECT seq FROM users WHERE id = ?", person.bytes) {
    row throws(SQLiteError) in try row[0] as Int64
  }
  guard let found else { throw .unauthorized }
  return found
}
