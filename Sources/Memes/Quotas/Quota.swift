/// A bound on what is stored, and how much of it is used.
package struct Quota: Sendable, Equatable {
  /// What is bounded. The raw value is its name in the contract and in metrics.
  package enum Kind: String, Sendable, CaseIterable {
    /// The bytes of an account.
    case account
    /// The bytes that a network stores in a day without an account.
    case network
    /// The bytes of all that is stored without an account.
    case anonymous
    /// The templates of an account.
    case templates
  }

  package let kind: Kind
  /// In bytes, or templates.
  package let limit: Int
  package let used: Int
  /// The time until there is room again; `nil` if that is for the owner to make.
  package let wait: Duration?

  package init(_ kind: Kind, limit: Int, used: Int, wait: Duration? = nil) {
    (self.kind, self.limit, self.used, self.wait) = (kind, limit, used, wait)
  }

  package var left: Int { max(0, limit - used) }
}

/// How much may be stored. `nil` is no limit.
package struct StorageLimits: Sendable, Equatable {
  /// The bytes of each account.
  package var account: Int?
  /// The bytes of all that is stored without an account.
  package var anonymous: Int?
  /// The templates of each account.
  package var templates: Int?

  package init(account: Int? = nil, anonymous: Int? = nil, templates: Int? = nil) {
    (self.account, self.anonymous, self.templates) = (account, anonymous, templates)
  }

  /// The bound that holds for what a viewer stores; `nil` if there is none.
  package func kind(for viewer: Viewer) -> (Quota.Kind, limit: Int)? {
    viewer.person == nil ? anonymous.map { (.anonymous, $0) } : account.map { (.account, $0) }
  }
}

/// The storage of a person.
package struct Usage: Sendable, Equatable {
  package let bytes: Int
  package let templates: Int

  package init(bytes: Int, templates: Int) { (self.bytes, self.templates) = (bytes, templates) }
}

/// The storage of all.
package struct TotalUsage: Sendable, Equatable {
  /// Of all that has no account.
  package let anonymousBytes: Int
  /// Of all accounts together.
  package let accountBytes: Int
  /// Those with most bytes, the first with most.
  package let largest: [Account]

  package struct Account: Sendable, Equatable {
    package let username: String
    package let bytes: Int

    package init(username: String, bytes: Int) { (self.username, self.bytes) = (username, bytes) }
  }

  package init(anonymousBytes: Int, accountBytes: Int, largest: [Account]) {
    (self.anonymousBytes, self.accountBytes) = (anonymousBytes, accountBytes)
    self.largest = largest
  }
}

/// Knows how much is stored without going through it.
///
/// Every call may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol UsageStore: Sendable {
  /// The bytes of a person, or of all that has no account.
  func bytes(of viewer: Viewer) async throws(MemeError) -> Int

  /// - Throws: ``MemeError/unauthorized`` if there is no such person.
  func usage(of person: UserID) async throws(MemeError) -> Usage

  /// - Parameter count: of the accounts with most bytes.
  func usage(largest count: Int) async throws(MemeError) -> TotalUsage
}
