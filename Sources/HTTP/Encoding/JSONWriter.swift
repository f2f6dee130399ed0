package import Bytes

/// Writes JSON (RFC 8259) directly into bytes, with the members in the order of the calls.
package struct JSONWriter: ~Copyable {
  private var bytes: ByteWriter
  private var needsComma = false

  package init(capacity: Int = 512) { bytes = ByteWriter(capacity: capacity) }

  /// Returns the document. Call it last.
  package consuming func finish() -> Bytes { bytes.finish() }

  /// Calls `body` with the bytes written so far, which are valid only during the call.
  package borrowing func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes(body)
  }

  /// Writes an object; `members` writes its members.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Begins an object. Separate calls write its members.
  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  package mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Writes an array; `elements` writes its elements.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    elements(&self)
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

  /// Writes a number, or `null` if JSON cannot represent it.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(number.isFinite ? number.description : "null")
  }

  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(flag ? "true" : "false")
  }

  /// Writes a value that is already JSON.
  package mutating func document(_ json: String) {
    separate()
    bytes.append(json)
  }

  package mutating func null() {
    separate()
    bytes.append("null")
  }

  /// Writes a string in parts, without joining them first. `pieces` may call only
  /// ``piece(_:)-(String)`` and ``piece(_:)-(Int)``.
  package mutating func text(_ pieces: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    pieces(&self)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a part of a string.
  package mutating func piece(_ text: String) {
    var text = text
    text.withUTF8 { text in
      let text = UnsafeRawBufferPointer(text)
      // Almost no text needs escaping. The check reads the whole text, because it can
      // then compare several bytes at a time.
      if text.count(where: Self.mustBeEscaped) == 0 { bytes.append(text) } else { escaping(text) }
    }
  }

  /// Writes the digits of a number within a string.
  package mutating func piece(_ number: Int) { bytes.append(number) }

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
    piece(text)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escaping(_ text: UnsafeRawBufferPointer) {
    var rest = text[...]
    while let place = rest.firstIndex(where: Self.mustBeEscaped) {
      bytes.append(UnsafeRawBufferPointer(rebasing: rest[..<place]))
      escape(text[place])
      rest = rest[(place + 1)...]
    }
    bytes.append(UnsafeRawBufferPointer(rebasing: rest))
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
  /// Writes a member's name that needs no escaping. Its value must follow.
  package mutating func name(_ name: StaticString) {
    separate()
    name.withUTF8Buffer { name in
      bytes.append(count: name.count + 3) { memory in
        memory[0] = UInt8(ascii: "\"")
        UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyMemory(
          from: UnsafeRawBufferPointer(name))
        memory[name.count + 1] = UInt8(ascii: "\"")
        memory[name.count + 2] = UInt8(ascii: ":")
      }
    }
    needsComma = false
  }

  /// Writes a member's name, which may be any text. Its value must follow.
  package mutating func name(escaping name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: StaticString, _ text: String?) {
    self.name(name)
    if let text { value(text) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ number: Int?) {
    self.name(name)
    if let number { value(number) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ number: Double?) {
    self.name(name)
    if let number { value(number) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    self.name(name)
    value(flag)
  }

  package mutating func text(_ name: StaticString, _ pieces: (inout JSONWriter) -> Void) {
    self.name(name)
    text(pieces)
  }

  package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  package mutating func array(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) {
    self.name(name)
    array(elements)
  }

  package mutating func null(_ name: StaticString) {
    self.name(name)
    null()
  }
}
