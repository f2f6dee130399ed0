/// What others call a person by: 3 to 30 of `a` to `z`, digits and `_`. Capitals are taken as small letters.
package struct Username: Hashable, Sendable {
  package static let bytes = 3...30

  /// In lower case.
  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    // Only what is checked to be ASCII is turned into small letters: there are others that become ASCII by that.
    guard Self.bytes.contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      throw InvalidValue(
        code: "invalid-username",
        message: "A username has 3 to 30 of the letters a to z, digits and underscores.")
    }
    self.text = text.lowercased()
  }

  /// A name that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// A name that nobody can have may still be asked for.
  var isReserved: Bool { Self.reserved.contains(text) }

  /// Words that are addresses of this server or would be, and those that seem to speak for it.
  private static let reserved: Set<String> = [
    "admin", "administrator", "anonymous", "current", "deleted", "everyone", "help", "mememe",
    "moderator", "null", "owner", "postmaster", "root", "security", "support", "system",
    "undefined", "webmaster",
  ]

  /// What a name begins with of which somebody types the beginning, perhaps as one is mentioned, `@ada`; `nil` where none does.
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
  /// A name that somebody wants to have.
  package init(wanted text: String) throws(InvalidValue) {
    try self.init(text)
    guard !isReserved else {
      throw InvalidValue(code: "reserved", message: "Nobody can have this name.")
    }
  }
}

extension Username: CustomStringConvertible {
  package var description: String { text }
}
