/// Finds the elements of a JSON array without reading them, so that it may be larger than any that is read at once.
///
/// What is between two elements is checked, not what is in them.
struct JSONElements {
  /// The text is no array, near this byte.
  struct NotAnArray: Error { let offset: Int }

  let text: UnsafeRawBufferPointer
  private var position: Int
  private var isFirst = true

  /// - Parameter position: where the array begins, or blanks before it.
  init(_ text: UnsafeRawBufferPointer, from position: Int = 0) throws(NotAnArray) {
    (self.text, self.position) = (text, position)
    skipBlanks()
    guard skip(UInt8(ascii: "[")) else { throw NotAnArray(offset: self.position) }
  }

  /// - Returns: the next element's place; `nil` behind the last one.
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

  /// As RFC 8259 §2 has it.
  private static func isBlank(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }
}
