import Bytes

/// Parses comma-separated values (RFC 4180) in memory, one record at a time.
///
/// Lines may also end with LF or CR alone. Quotes are literal in a field that does not begin with one.
struct CSV {
  /// The position of a field in the text, without enclosing quotes.
  struct Field {
    let range: Range<Int>
    /// Whether the field contains doubled quotes.
    let hasQuotes: Bool
  }

  /// An error in a record.
  enum Fault: Error {
    /// A quote is not closed. The record extends to the end of the text.
    case openQuote
    /// Text follows a closing quote before the next comma.
    case textBehindQuote
  }

  /// The maximum number of fields in a record.
  static let maximumFields = 256

  let text: UnsafeRawBufferPointer
  /// The offset of the next record.
  private(set) var position: Int
  /// The fields of the last record. If it has more than ``maximumFields``, only one more is kept.
  private(set) var fields: [Field] = []
  private(set) var fault: Fault?

  /// - Parameter position: the offset of the first record.
  init(_ text: UnsafeRawBufferPointer, from position: Int = 0) {
    (self.text, self.position) = (text, position)
  }

  /// Reads the next record.
  ///
  /// - Returns: the range of the record without its line ending; `nil` after the last record.
  mutating func next() -> Range<Int>? {
    guard position < text.count else { return nil }
    let start = position
    fields.removeAll(keepingCapacity: true)
    fault = nil
    repeat { readField() } while skip(UInt8(ascii: ","))
    let end = position
    if skip(UInt8(ascii: "\r")) {
      _ = skip(UInt8(ascii: "\n"))
    } else {
      _ = skip(UInt8(ascii: "\n"))
    }
    return start..<end
  }

  private mutating func readField() {
    let field = skip(UInt8(ascii: "\"")) ? quotedField() : plainField()
    if fields.count <= Self.maximumFields { fields.append(field) }
  }

  private mutating func plainField() -> Field {
    let start = position
    skipToEndOfField()
    return Field(range: start..<position, hasQuotes: false)
  }

  private mutating func quotedField() -> Field {
    let start = position
    var hasQuotes = false
    while position < text.count {
      guard text[position] == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      let end = position
      position += 1
      if skip(UInt8(ascii: "\"")) {
        hasQuotes = true
        continue
      }
      let behind = position
      skipToEndOfField()
      if position > behind { fault = fault ?? .textBehindQuote }
      return Field(range: start..<end, hasQuotes: hasQuotes)
    }
    fault = .openQuote
    return Field(range: start..<position, hasQuotes: hasQuotes)
  }

  private mutating func skipToEndOfField() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return
      default: position += 1
      }
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }
}

extension CSV {
  /// The content of a field, with doubled quotes replaced.
  func bytes(of field: Field) -> Bytes {
    let raw = UnsafeRawBufferPointer(rebasing: text[field.range])
    guard field.hasQuotes else { return Bytes(copying: raw) }
    var writer = ByteWriter(capacity: raw.count)
    var wasQuote = false
    for byte in raw {
      // The second quote of a pair.
      wasQuote = byte == UInt8(ascii: "\"") && !wasQuote
      if byte != UInt8(ascii: "\"") || wasQuote { writer.append(byte) }
    }
    return writer.finish()
  }

  /// Appends a field, in quotes if necessary.
  static func append(_ text: String, to writer: inout ByteWriter) {
    guard text.utf8.contains(where: needsQuotes) else { return writer.append(text) }
    writer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { writer.append(byte) }
      writer.append(byte)
    }
    writer.append(UInt8(ascii: "\""))
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    // Some programs strip spaces at the ends of a field without quotes.
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
      UInt8(ascii: " "):
      true
    default: false
    }
  }
}
