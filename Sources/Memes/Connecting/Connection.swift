package import Foundation

/// The ID of a connection.
package struct ConnectionID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// Who may have connections.
package enum ConnectionMode: String, CaseIterable, Sendable {
  case admins, members, off

  package func permits(_ role: Role) -> Bool {
    switch self {
    case .admins: role == .admin
    case .members: true
    case .off: false
    }
  }
}

/// A destination to which the server posts events.
package struct Connection: Sendable, Equatable {
  /// The maximum number of connections of a member.
  package static let maximumOfMember = 5
  /// The maximum number of connections of all admins together.
  package static let maximumOfAdmins = 100
  /// The maximum of ``lag``. A value of this size means "this many or more".
  package static let maximumLag = 1000
  /// How long deliveries are signed with the secret before the current one, too.
  package static let rotationMilliseconds: Int64 = 86_400_000

  /// What the owner decides.
  package struct Terms: Sendable, Equatable {
    package let name: TokenName
    package let url: RemoteURL
    package let scope: Scope

    package init(name: TokenName, url: RemoteURL, scope: Scope) {
      (self.name, self.url, self.scope) = (name, url, scope)
    }
  }

  /// Whose events it receives.
  package enum Scope: String, CaseIterable, Sendable {
    /// Those of the owner's memes and followers.
    case own
    /// Those that everyone can see, reports, and new accounts. Only for admins.
    case all
  }

  /// What the owner or the server has decided about it.
  package enum State: Int, Sendable {
    case running, paused
    /// No events are recorded.
    case stopped
  }

  package let id: ConnectionID
  package let owner: Username
  package let terms: Terms
  package let createdAt: Timestamp
  package let state: State
  package let progress: Progress
  /// In the order in which they were added.
  package let mappings: [Mapping]

  package init(
    id: ConnectionID, owner: Username, _ terms: Terms, createdAt: Timestamp, state: State,
    progress: Progress, mappings: [Mapping]
  ) {
    (self.id, self.owner, self.terms, self.createdAt) = (id, owner, terms, createdAt)
    (self.state, self.progress, self.mappings) = (state, progress, mappings)
  }

  /// The progress of its deliveries.
  package struct Progress: Sendable, Equatable {
    /// The failed attempts in a row.
    package let failures: Int
    /// When the next attempt may begin.
    package let nextAttemptAt: Timestamp
    /// The number of waiting events, up to ``Connection/maximumLag``.
    package let lag: Int
    package let delivered: Int
    /// The number of events that were given up.
    package let failed: Int
    package let lastDelivery: Timestamp?
    package let lastError: String?

    package init(
      failures: Int, nextAttemptAt: Timestamp, lag: Int, delivered: Int, failed: Int,
      lastDelivery: Timestamp?, lastError: String?
    ) {
      (self.failures, self.nextAttemptAt, self.lag) = (failures, nextAttemptAt, lag)
      (self.delivered, self.failed) = (delivered, failed)
      (self.lastDelivery, self.lastError) = (lastDelivery, lastError)
    }
  }
}
