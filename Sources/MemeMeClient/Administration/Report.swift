public import Foundation

/// Something that somebody wants the admins to look at.
public struct Report: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Report>

  public var id: ID
  public var createdAt: Date
  public var status: Status
  public var reason: String
  /// `nil` where nobody was signed in, or who was has left.
  public var reporter: Author?
  public var subject: Subject
  /// How many open reports there are on the same thing, this one among them.
  public var openOnSubject: Int
  /// What an admin wrote about it, for admins.
  public var note: String?
  public var closedAt: Date?
  public var closedBy: Admin?

  /// What became of a report.
  public struct Status: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open: Self = "open"
    /// Something was done about it.
    public static let resolved: Self = "resolved"
    /// There was nothing to be done about it.
    public static let dismissed: Self = "dismissed"
  }

  /// What is reported, as it is now.
  public struct Subject: Sendable, Hashable, Codable {
    public var kind: Kind
    /// The meme's or the comment's; `nil` for a person.
    public var id: String?
    public var username: String?
    /// Whether it is deleted, or the person has left.
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

/// Who did something as an admin.
public struct Admin: Sendable, Hashable, Codable {
  public var kind: Kind
  /// The person's name at that time; `nil` where it was no person.
  public var username: String?

  public struct Kind: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whoever showed the admin's token.
    public static let token: Self = "token"
    public static let person: Self = "person"
    /// Whoever ran a command on the machine.
    public static let command: Self = "command"
  }
}

/// What is to become of a report.
public struct ReportDecision: Sendable, Hashable, Codable {
  public var status: Report.Status
  /// For admins.
  public var note: Change<String> = .keep
  /// Whether the other open reports on the same thing are closed with it.
  public var all: Bool?

  public init(_ status: Report.Status, note: String? = nil, all: Bool? = nil) {
    self.status = status
    self.note = note.map(Change.set) ?? .keep
    self.all = all
  }
}
