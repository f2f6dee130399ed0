public import Foundation

/// A change that the server did not take, kept for the person to look at, to apply again or to discard.
public struct LibraryDraft: Sendable, Identifiable, Equatable {
  public let id: Int64
  /// The meme that it is of. That of a creation is not on the server.
  public let meme: Meme.ID
  public let kind: Kind
  /// When it became a draft.
  public let createdAt: Date
  /// What was to be: all of a new meme but its picture, or what an edit changes.
  public let content: MemeEdit
  /// The meme that an edit was made on, as it was then; `nil` where the server did not have it yet.
  public let base: Meme?
  public let reason: Reason

  public enum Kind: String, Sendable, Codable {
    case creation, edit, deletion
  }

  /// Why it was not taken.
  public enum Reason: Sendable, Hashable, Codable {
    /// Somebody changed the meme meanwhile, on another device perhaps.
    case changedElsewhere
    /// Somebody deleted the meme meanwhile.
    case deletedElsewhere
    /// The server refused it.
    case refused(Refusal)
    /// It was sent, and nobody can tell any more whether it was made, and deleted since.
    case uncertain
  }

  /// What the server said of what it refused.
  public struct Refusal: Sendable, Hashable, Codable {
    public let code: Problem.Code
    /// For people.
    public let detail: String
    /// Every field that could not be taken.
    public let fields: [FieldError]

    public init(code: Problem.Code, detail: String, fields: [FieldError]) {
      (self.code, self.detail, self.fields) = (code, detail, fields)
    }
  }
}

extension LibraryDraft.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .changedElsewhere: "it was changed elsewhere"
    case .deletedElsewhere: "it was deleted elsewhere"
    case .refused(let refusal): refusal.detail
    case .uncertain: "nobody can tell whether it was made"
    }
  }
}
