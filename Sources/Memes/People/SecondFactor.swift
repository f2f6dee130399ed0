/// The second factor of an account, as its user and the admins see it.
package struct SecondFactor: Sendable, Equatable {
  /// The number of recovery codes that are made at once.
  package static let recoveryCodeCount = 10

  package let enabledAt: Timestamp
  /// The number of recovery codes that are left.
  package let recoveryCodes: Int

  package init(enabledAt: Timestamp, recoveryCodes: Int) {
    (self.enabledAt, self.recoveryCodes) = (enabledAt, recoveryCodes)
  }
}

/// A second factor as it is stored.
package struct StoredSecondFactor: Sendable, Equatable {
  /// The secret from which codes are computed, encrypted under the server's key.
  package let sealed: [UInt8]
  /// Whether it is on. Before, the user has yet to show that the app has the secret.
  package let isOn: Bool

  package init(sealed: [UInt8], isOn: Bool) { (self.sealed, self.isOn) = (sealed, isOn) }
}

/// A code of a second factor, as the user typed it. It is never printed.
package enum SecondFactorCode: Sendable, Equatable {
  /// Six digits from the app.
  case computed(String)
  /// One of the recovery codes, without its hyphens and in lowercase.
  case recovery(String)

  private static let digits = 6
  /// 80 random bits in Base32. A thief of the database cannot find a code from its digest.
  package static let recoveryBytes = 10
  private static let recoveryLetters = 16
  private static let groupLetters = 4
  /// The limit for the typed text, with spaces and hyphens.
  private static let maximumBytes = 64

  /// - Returns: `nil` if no code looks like this.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let typed = text.lowercased().utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    let code = String(decoding: typed, as: UTF8.self)
    if typed.count == Self.digits, typed.allSatisfy(Self.isDigit) {
      self = .computed(code)
    } else if typed.count == Self.recoveryLetters, typed.allSatisfy(Self.isRecoveryLetter) {
      self = .recovery(code)
    } else {
      return nil
    }
  }

  /// The text to show for a recovery code: groups of four letters.
  package static func grouped(_ recovery: String) -> String {
    var groups: [Substring] = []
    var rest = recovery[...]
    while !rest.isEmpty {
      groups.append(rest.prefix(groupLetters))
      rest = rest.dropFirst(groupLetters)
    }
    return groups.joined(separator: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isRecoveryLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
  }
}

extension SecondFactorCode: CustomStringConvertible, CustomReflectable {
  package var description: String { "SecondFactorCode" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a transaction that needs the second factor confirms, so that each code is good once, on all servers.
package enum SecondFactorUse: Sendable, Equatable {
  /// The account has no second factor, or a pending one.
  case off
  /// The provider of a single sign-on verified the user. It asks for a factor of its own, if it wants one.
  case byProvider
  /// A computed code of this step is right for this encrypted secret. It must be later than the last one that was used.
  case step(Int64, sealed: [UInt8])
  /// A recovery code has this digest. It must be one of the user's, and is deleted.
  case recovery(Digest)
}
