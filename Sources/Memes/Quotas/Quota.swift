/// A limit on stored data, and how much of it is used.
package struct Quota: Sendable, Equatable {
  /// The kind of the limit. The raw value is its name in the API contract and in metrics.
  package enum Kind: String, Sendable, CaseIterable {
    /// The bytes of an account.
    case account
    /// The bytes that anonymous callers of a network store in a day.
    case network
    /// All bytes stored without an account.
    case anonymous
    /// The templates of an account.
    case templates
  }

  package let kind: Kind
  /// The number of bytes, or of templates.
  package let limit: Int
  package let used: Int
  /// The time until space becomes available; `nil` if the owner must delete something first.
  package let wait: Duration?

  package init(_ kind: Kind, limit: Int, used: Int, wait: Duration? = nil) {
    (self.kind, self.limit, self.used, self.wait) = (kind, limit, used, wait)
  }

  package var left: Int { max(0, limit - used) }

  /// Checks the quota of an account. The limit is the largest whole number that every JSON parser keeps (RFC 8259 §6).
  package static func bytes(_ number: Int) throws(InvalidValue) -> Int {
    guard (0...1 << 53).contains(number) else {
      throw InvalidValue(code: "out-of-range", message: "Must be a number of bytes from 0 to 2^53.")
    }
    return number
  }
}

/// The limits on stored data; `nil` means no limit.
package struct StorageLimits: Sendable, Equatable {
  /// The bytes of each account that has no quota of its own.
  package var account: Int?
  /// All bytes stored without an account.
  package var anonymous: Int?
  /// The templates of each account.
  package var templates: Int?

  package init(account: Int? = nil, anonymous: Int? = nil, templates: Int? = nil) {
    (self.account, self.anonymous, self.templates) = (account, anonymous, templates)
  }
}

/// The storage used by an account.
package struct Usage: Sendable, Equatable {
  package let bytes: Int
  /// The quota of this account; `nil` if the limit of all accounts applies.
  package let quotaBytes: Int?
  package let templates: Int

  package init(bytes: Int, quotaBytes: Int?, templates: Int) {
    (self.bytes, self.quotaBytes, self.templates) = (bytes, quotaBytes, templates)
  }
}

/// The storage used by all accounts, and without an account.
package struct TotalUsage: Sendable, Equatable {
  /// All bytes stored without an account.
  package let anonymousBytes: Int
  /// The bytes of all accounts together.
  package let accountBytes: Int
  /// The accounts with the most bytes, largest first.
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
