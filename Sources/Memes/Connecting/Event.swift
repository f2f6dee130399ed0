package import Foundation

/// The ID of an event, the same in all attempts to deliver it.
package struct EventID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }

  /// As receivers see it. It contains no full stop, as Standard Webhooks requires.
  package var text: String { "msg_\(self)" }
}

/// An event that waits for its delivery.
package struct Event: Sendable {
  /// The number of its row.
  package let number: Int64
  package let id: EventID
  package let kind: EventKind
  /// The ID of the meme, person or report.
  package let subject: UUID
  package let comment: CommentID?
  /// The person who did it; `nil` if unknown or gone.
  package let actor: Author?
  /// The person whom it is about; `nil` if it is about something else, or the person is gone.
  package let person: Author?
  package let isReload: Bool
  package let happenedAt: Timestamp
  /// How often the receiver refused it.
  package let refusals: Int
  package let mapping: MappingID
  package let terms: Mapping.Terms

  package init(
    number: Int64, id: EventID, kind: EventKind, subject: UUID, comment: CommentID?,
    people: (actor: Author?, person: Author?), isReload: Bool, happenedAt: Timestamp, refusals: Int,
    of mapping: (id: MappingID, terms: Mapping.Terms)
  ) {
    (self.number, self.id, self.kind, self.subject) = (number, id, kind, subject)
    (self.comment, actor, person) = (comment, people.actor, people.person)
    (self.isReload, self.happenedAt, self.refusals) = (isReload, happenedAt, refusals)
    (self.mapping, terms) = mapping
  }

  /// The meme that it is about; `nil` if it is about something else.
  package var meme: MemeID? { kind.isOfMeme ? MemeID(subject) : nil }
}

/// A connection with events to deliver now, as its sender needs it.
package struct DueConnection: Sendable {
  /// The number of its row.
  package let number: Int64
  package let id: ConnectionID
  package let name: TokenName
  package let url: RemoteURL
  package let scope: Connection.Scope
  package let owner: UserID
  package let role: Role
  /// The secret that signs, encrypted.
  package let secret: [UInt8]
  /// The secret before it, encrypted, which also signs until a time; `nil` if there is none.
  package let oldSecret: (bytes: [UInt8], until: Timestamp)?
  package let failures: Int

  package init(
    number: Int64, id: ConnectionID, _ terms: Connection.Terms, owner: UserID, role: Role,
    secret: [UInt8], oldSecret: (bytes: [UInt8], until: Timestamp)?, failures: Int
  ) {
    (self.number, self.id, name, url) = (number, id, terms.name, terms.url)
    (scope, self.owner, self.role) = (terms.scope, owner, role)
    (self.secret, self.oldSecret, self.failures) = (secret, oldSecret, failures)
  }
}
