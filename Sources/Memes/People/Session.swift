package import Foundation

/// Names one session to its person. It opens nothing.
package struct SessionID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A place where a person is signed in.
package struct Session: Sendable, Equatable {
  /// A person has no more; the one that was not used for the longest gives way.
  package static let maximumCount = 100

  package let id: SessionID
  package let person: UserID
  package let createdAt: Timestamp
  /// To the hour, or what ``SessionLifetime/noteMilliseconds`` is.
  package let lastUsedAt: Timestamp
  package let client: ClientName?
  /// That of the person, read with the session.
  package let standing: Standing

  package init(
    id: SessionID, person: UserID, createdAt: Timestamp, lastUsedAt: Timestamp, client: ClientName?,
    standing: Standing = .member
  ) {
    (self.id, self.person, self.standing) = (id, person, standing)
    (self.createdAt, self.lastUsedAt, self.client) = (createdAt, lastUsedAt, client)
  }
}

/// What a client calls itself: up to 200 characters of its `User-Agent`.
package struct ClientName: Hashable, Sendable {
  package static let maximumCharacters = 200

  package let text: String

  /// - Returns: `nil` where it has no name.
  package init?(_ text: String) {
    // By scalars: one character may be as long as it likes.
    let name = String(text.unicodeScalars.prefix(Self.maximumCharacters))
    guard !name.isEmpty else { return nil }
    self.text = name
  }
}

/// For how long sessions last.
package struct SessionLifetime: Sendable {
  /// Without being used.
  private let idleMilliseconds: Int64
  /// At all.
  private let maximumMilliseconds: Int64

  package init(idleSeconds: Int, maximumSeconds: Int) {
    idleMilliseconds = 1000 * Int64(idleSeconds)
    maximumMilliseconds = 1000 * Int64(maximumSeconds)
  }

  /// In whole seconds.
  package var maximumSeconds: Int64 { maximumMilliseconds / 1000 }

  /// That a session is used is noted only where the last note is older than that.
  package var noteMilliseconds: Int64 { min(60 * 60 * 1000, idleMilliseconds / 10) }

  /// Sessions are over at `time` that were used at `used` or before, or made at `made` or before.
  package func limits(at time: Timestamp) -> (used: Timestamp, made: Timestamp) {
    (time.advanced(by: -idleMilliseconds), time.advanced(by: -maximumMilliseconds))
  }

  /// When the session is over if nobody uses it again.
  package func expiry(of session: Session) -> Timestamp {
    min(
      session.lastUsedAt.advanced(by: idleMilliseconds),
      session.createdAt.advanced(by: maximumMilliseconds))
  }
}

extension Timestamp {
  fileprivate func advanced(by milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: millisecondsSince1970 + milliseconds)
  }
}
