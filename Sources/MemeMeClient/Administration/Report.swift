public import Foundation

/// A report about a meme, a comment or a person, for the admins to review.
public struct Report: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Report>

  public var id: ID
  public var createdAt: Date
  public var status: Status
  public var reason: String
  /// The author of the report; `nil` if the caller was not signed in or the account no longer exists.
  public var reporter: Author?
  public var subject: Subject
  /// The number of open reports about the same subject, counted up to 1000.
  public var openOnSubject: Int
  /// A note by an admin, visible to admins only.
  public var note: String?
  public var closedAt: Date?
  public var closedBy: Admin?

  /// The status of a report.
  public struct Status: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open: Self = "open"
    /// An admin took action.
    public static let resolved: Self = "resolved"
    /// An admin closed the report without taking action.
    public static let dismissed: Self = "dismissed"
  }

  /// The subject of a report, in its current state.
  public struct Subject: Sendable, Hashable, Codable {
    public var kind: Kind
    /// The ID of the meme or comment; `nil` for a person.
    public var id: String?
    public var username: String?
    /// Whether the meme or comment is deleted, or the person's account no longer exists.
    public var gone: Bool
    public var author: Author?
    public var meme: MemeCell?
    public var text: String?

    public struct Kind: OpenValue {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let meme: Self = "meme"
      public static let comment: Self = "comment"
      public static let person: Self = "person"
    }
  }
}

/// The actor of an admin action.
public struct Admin: Sendable, Hashable, Codable {
  public var kind: Kind
  /// The person's username at the time of the action; `nil` if the actor was not a person.
  public var username: String?

  public struct Kind: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The caller authenticated with the admin token.
    public static let token: Self = "token"
    public static let person: Self = "person"
    /// An operator ran a command on the server's machine.
    public static let command: Self = "command"
  }
}

/// A decision about a report.
public struct ReportDecision: Sendable, Hashable, Codable {
  public var status: Report.Status
  /// A note, visible to admins only.
  public var note: Change<String> = .keep
  /// Whether to close the other open reports about the same subject as well.
  public var all: Bool?

  public init(_ status: Report.Status, note: String? = nil, all: Bool? = nil) {
    self.status = status
    self.note = note.map(Change.set) ?? .keep
    self.all = all
  }
}
