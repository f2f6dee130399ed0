package import Foundation

/// The public ID of a session. It is not a credential.
package struct SessionID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A session of a signed-in user.
package struct Session: Sendable, Equatable {
  /// The maximum number of sessions per user. A further sign-in replaces the one that was unused for the longest time.
  package static let maximumCount = 100

  package let id: SessionID
  package let person: UserID
  package let createdAt: Timestamp
  /// Accurate to one hour, or to ``SessionLifetime/noteMilliseconds``.
  package let lastUsedAt: Timestamp
  package let client: ClientName?
  /// The account's status, read together with the session.
  package let accountStatus: AccountStatus

  package init(
    id: SessionID, person: UserID, createdAt: Timestamp, lastUsedAt: Timestamp, client: ClientName?,
    accountStatus: AccountStatus = .member
  ) {
    (self.id, self.person, self.accountStatus) = (id, person, accountStatus)
    (self.createdAt, self.lastUsedAt, self.client) = (createdAt, lastUsedAt, client)
  }
}

/// The name of the client: up to 200 characters of its `User-Agent`.
package struct ClientName: Hashable, Sendable {
  package static let maximumCharacters = 200

  package let text: String

  /// - Returns: `nil` if the text is empty.
  package init?(_ text: String) {
    // Counts scalars, because a single character may have any length.
    let name = String(text.unicodeScalars.prefix(Self.maximumCharacters))
    guard !name.isEmpty else { return nil }
    self.text = name
  }
}

/// How long sessions are valid.
package struct SessionLifetime: Sendable {
  /// The maximum time without use.
  private let idleMilliseconds: Int64
  /// The maximum time in total.
  private let maximumMilliseconds: Int64

  package init(idleSeconds: Int, maximumSeconds: Int) {
    idleMilliseconds = 1000 * Int64(idleSeconds)
    maximumMilliseconds = 1000 * Int64(maximumSeconds)
  }

  /// In whole seconds.
  package var maximumSeconds: Int64 { maximumMilliseconds / 1000 }

  /// The use of a session is recorded only if the last record is older than this.
  package var noteMilliseconds: Int64 { min(60 * 60 * 1000, idleMilliseconds / 10) }

  /// Whether a use at this time must be recorded, after the last recorded one.
  package func needsNote(of time: Timestamp, after lastUse: Timestamp) -> Bool {
    time.millisecondsSince1970 - lastUse.millisecondsSince1970 >= noteMilliseconds
  }

  /// At `time`, a session has expired if it was last used at `used` or earlier, or created at `made` or earlier.
  package func limits(at time: Timestamp) -> (used: Timestamp, made: Timestamp) {
    (time.advanced(by: -idleMilliseconds), time.advanced(by: -maximumMilliseconds))
  }

  /// The time at which the session expires if it is not used again.
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
