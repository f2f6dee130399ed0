public import Foundation

/// A change that the server did not accept. The user can view it, apply it again or discard it.
public struct LibraryDraft: Sendable, Identifiable, Equatable {
  public let id: Int64
  /// The ID of the changed meme. A meme whose creation failed does not exist on the server.
  public let meme: Meme.ID
  public let kind: Kind
  /// The time when the change became a draft.
  public let createdAt: Date
  /// The intended content: all fields of a new meme except its picture, or the changes of an edit.
  public let content: MemeEdit
  /// The state of the meme that an edit was based on, with earlier edits applied. Its version and its images are those
  /// from before these edits. `nil` if the library does not know that state.
  public let base: Meme?
  public let reason: Reason

  public enum Kind: String, Sendable, Codable {
    case creation, edit, deletion
  }

  /// The reason why the server did not accept a change.
  public enum Reason: Sendable, Hashable, Codable {
    /// The meme was changed in the meantime, for example on another device.
    case changedElsewhere
    /// The meme was deleted in the meantime.
    case deletedElsewhere
    /// The server rejected the change.
    case refused(Refusal)
    /// The creation was sent, but the server no longer knows whether the meme was created and then deleted.
    case uncertain
  }

  /// The server's explanation of a rejected change.
  public struct Refusal: Sendable, Hashable, Codable {
    public let code: Problem.Code
    /// A message for users.
    public let detail: String
    /// The invalid fields.
    public let fields: [FieldError]

    public init(code: Problem.Code, detail: String, fields: [FieldError]) {
      (self.code, self.detail, self.fields) = (code, detail, fields)
    }
  }
}

extension LibraryDraft.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .changedElsewhere: "The meme was changed elsewhere."
    case .deletedElsewhere: "The meme was deleted elsewhere."
    case .refused(let refusal): refusal.detail
    case .uncertain: "It is unknown whether the server created the meme."
    }
  }
}
