/// Finds the elements of a JSON array without parsing them. So the array may be larger than the JSON parser allows.
///
/// Validates the text between elements, but not the elements themselves.
struct JSONElements {
  /// The text is not an array. The error is near the byte at `offset`.
  struct NotAnArray: Error { let offset: Int }

  let text: UnsafeRawBufferPointer
  private var position: Int
  private var isFirst = true

  /// - Parameter position: the offset of the array, or of whitespace before it.
  init(_ text: UnsafeRawBufferPointer, from position: Int = 0) throws(NotAnArray) {
    (self.text, self.position) = (text, position)
    skipBlanks()
    guard skip(UInt8(ascii: "[")) else { throw NotAnArray(offset: self.position) }
  }

  /// - Returns: the range of the next element; `nil` after the last one.
  mutating func next() throws(NotAnArray) -> Range<Int>? {
    skipBlanks()
    if skip(UInt8(ascii: "]")) {
      skipBlanks()
      guard position == text.count else { throw NotAnArray(offset: position) }
      return nil
    }
    if !isFirst {
      guard skip(UInt8(ascii: ",")) else { throw NotAnArray(offset: position) }
      skipBlanks()
    }
    isFirst = false
    let start = position
    skipElement()
    guard position > start, position < text.count else { throw NotAnArray(offset: position) }
    return start..<trimmed(from: start)
  }

  private mutating func skipElement() {
    var (depth, isInText) = (0, false)
    while position < text.count {
      let byte = text[position]
      if isInText {
        if byte == UInt8(ascii: "\\") { position += 1 }
        isInText = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return
        default: break
        }
      }
      position += 1
    }
    position = text.count
  }

  private func trimmed(from start: Int) -> Int {
    var end = position
    while end > start, Self.isBlank(text[end - 1]) { end -= 1 }
    return end
  }

  private mutating func skipBlanks() {
    while position < text.count, Self.isBlank(text[position]) { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// Whitespace as RFC 8259 §2 defines it.
  private static func isBlank(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }
}
