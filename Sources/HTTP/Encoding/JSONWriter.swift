package import Bytes

/// Writes JSON (RFC 8259) straight into bytes, members in the order in which they are written.
package struct JSONWriter: ~Copyable {
  private var bytes: [UInt8] = []
  private var needsComma = false

  package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  /// The document. Call it last.
  package consuming func finish() -> Bytes { Bytes(bytes) }

  /// Writes an object; `members` writes what is in it.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array of what `element` writes for each item.
  package mutating func array<Item>(
    _ items: some Sequence<Item>, _ element: (inout JSONWriter, Item) -> Void
  ) {
    open(UInt8(ascii: "["))
    for item in items { element(&self, item) }
    close(UInt8(ascii: "]"))
  }

  package mutating func value(_ text: String) {
    separate()
    quote(text)
  }

  package mutating func value(_ number: Int) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a number; one that JSON cannot write becomes `null`.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x00..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(Self.hexadecimal(byte >> 4))
        bytes.append(Self.hexadecimal(byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension JSONWriter {
  /// Writes a member's name; its value must follow.
  package mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { value(text) } else { null() }
  }

  package mutating func member(_ name: String, _ number: Int) {
    self.name(name)
    value(number)
  }

  package mutating func member(_ name: String, _ number: Double) {
    self.name(name)
    value(number)
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    self.name(name)
    value(flag)
  }

  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  package mutating func array<Item>(
    _ name: String, _ items: some Sequence<Item>, _ element: (inout JSONWriter, Item) -> Void
  ) {
    self.name(name)
    array(items, element)
  }

  package mutating func null(_ name: String) {
    self.name(name)
    null()
  }
}
