/// The unique public name of a user: 3 to 30 of the characters `a` to `z`, digits and `_`. Capital letters are
/// converted to lowercase.
package struct Username: Hashable, Sendable {
  package static let bytes = 3...30

  /// A user may change their username once in this number of days. For as long, the former one leads to them, and no
  /// other account can have it.
  package static let reservedDays = 30

  /// In lowercase.
  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    // Lowercased only after the ASCII check, because some non-ASCII letters become ASCII when lowercased.
    guard Self.bytes.contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      throw InvalidValue(
        code: "invalid-username",
        message: "Must be 3 to 30 characters: a-z, 0-9 and _.")
    }
    self.text = text.lowercased()
  }

  /// Creates a name that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// Whether the name cannot be registered. Requests may still look it up.
  var isReserved: Bool { Self.reserved.contains(text) }

  /// Words in existing or possible URLs of this server, and words that seem to speak for it.
  private static let reserved: Set<String> = [
    "admin", "administrator", "anonymous", "current", "deleted", "everyone", "help", "mememe",
    "moderator", "null", "owner", "postmaster", "root", "security", "support", "system",
    "undefined", "webmaster",
  ]

  /// The username prefix in a search text, which may start with an `@`; `nil` if no username can begin like this.
  static func beginning(in text: String) -> String? {
    let typed = text.split(separator: " ")
    guard let word = typed.first, typed.count == 1 else { return nil }
    let name = word.drop { $0 == "@" }
    guard (1...bytes.upperBound).contains(name.utf8.count), name.utf8.allSatisfy(isAllowed) else {
      return nil
    }
    return name.lowercased()
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Username {
  /// A name for a new account.
  package init(wanted text: String) throws(InvalidValue) {
    try self.init(text)
    guard !isReserved else {
      throw InvalidValue(
        code: "reserved", message: "This username is reserved. Choose a different one.")
    }
  }
}

extension Username {
  /// A username that was changed at this time or earlier is no longer reserved at `time`.
  package static func reservationHorizon(at time: Timestamp) -> Timestamp {
    let milliseconds = Int64(reservedDays) * 86_400_000
    return Timestamp(millisecondsSince1970: time.millisecondsSince1970 - milliseconds)
  }
}

extension Username: CustomStringConvertible {
  package var description: String { text }
}
