/// Identifies one state of a representation (RFC 9110 §8.8.3): `"abc"`, or weak: `W/"abc"`.
package struct EntityTag: Hashable, Sendable {
  package let isWeak: Bool
  /// The text between the quotes.
  package let opaque: String

  /// Parses exactly one tag.
  ///
  /// - Returns: `nil` if `text` is anything else.
  package init?(_ text: String) {
    var rest = text[...].utf8
    self.init(takenFrom: &rest)
    guard rest.isEmpty else { return nil }
  }

  /// Parses a tag, and advances `text` past it.
  fileprivate init?(takenFrom text: inout Substring.UTF8View) {
    isWeak = text.starts(with: "W/".utf8)
    if isWeak { text = text.dropFirst(2) }
    guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
    let opaque = text.prefix(while: Self.isTagCharacter)
    text = text[opaque.endIndex...]
    guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
    self.opaque = String(Substring(opaque))
  }

  /// Whether both tags identify the same bytes (RFC 9110 §8.8.3.2). A weak tag never does.
  package func matchesStrongly(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// Whether both tags identify equivalent representations (RFC 9110 §8.8.3.2).
  package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

  /// `etagc`: visible ASCII except the quote, or not ASCII.
  private static func isTagCharacter(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != UInt8(ascii: "\"") && byte != 0x7F
  }
}

/// The value of `If-Match` or `If-None-Match` (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagList: Equatable, Sendable {
  /// `*`: any representation.
  case any
  case tags([EntityTag])

  /// The maximum number of tags in a list.
  package static let maximumCount = 100

  /// Parses tags separated by commas. A tag may contain commas itself. Empty elements are ignored.
  ///
  /// - Returns: `nil` if `text` is not such a list, has no tag, or has too many.
  package init?(_ text: String) {
    var rest = text[...].utf8
    rest.dropBlanks()
    if rest.first == UInt8(ascii: "*") {
      rest.removeFirst()
      rest.dropBlanks()
      guard rest.isEmpty else { return nil }
      self = .any
      return
    }
    var tags: [EntityTag] = []
    while !rest.isEmpty {
      if rest.first != UInt8(ascii: ",") {
        guard tags.count < Self.maximumCount, let tag = EntityTag(takenFrom: &rest) else {
          return nil
        }
        tags.append(tag)
        rest.dropBlanks()
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
      }
      rest = rest.dropFirst()
      rest.dropBlanks()
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }
}

extension Substring.UTF8View {
  fileprivate mutating func dropBlanks() { self = drop { $0 == 0x20 || $0 == 0x09 } }
}
