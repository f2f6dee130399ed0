package import Bytes

/// Writes JSON (RFC 8259) straight into bytes, members in the order in which they are written.
package struct JSONWriter: ~Copyable {
  private var bytes: ByteWriter
  private var needsComma = false

  package init(capacity: Int = 512) { bytes = ByteWriter(capacity: capacity) }

  /// The document. Call it last.
  package consuming func finish() -> Bytes { bytes.finish() }

  /// Calls `body` with what was written so far, which is valid during the call only.
  package borrowing func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes(body)
  }

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
    bytes.append(number)
  }

  /// Writes a number; one that JSON cannot write becomes `null`.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(number.isFinite ? number.description : "null")
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(flag ? "true" : "false")
  }

  package mutating func null() {
    separate()
    bytes.append("null")
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
    var text = text
    text.withUTF8 { text in
      var rest = text[...]
      // Nearly all text has nothing to escape, and goes in as one piece.
      while let place = rest.firstIndex(where: Self.mustBeEscaped) {
        bytes.append(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[rest.startIndex..<place]))
        escape(text[place])
        rest = text[(place + 1)...]
      }
      bytes.append(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[rest.startIndex...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: bytes.append("\\n")
    default:
      bytes.append("\\u00")
      bytes.append(Hexadecimal.digit(byte >> 4))
      bytes.append(Hexadecimal.digit(byte & 15))
    }
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
