import Bytes

/// Comma-separated values (RFC 4180), record by record, wherever they are in memory.
///
/// Lines may end with LF or CR alone too, and quotes in a field that does not begin with one are what they are.
struct CSV {
  /// A field's place in the text, between its quotes where it has some.
  struct Field {
    let range: Range<Int>
    /// Whether quotes in it are doubled.
    let hasQuotes: Bool
  }

  /// What is wrong with a record.
  enum Fault: Error {
    /// A quote is not closed; the record reaches to the text's end.
    case openQuote
    /// Something stands between a quote that closes and the next comma.
    case textBehindQuote
  }

  /// How many fields of a record are told apart; what is behind them is passed over.
  static let maximumFields = 256

  let text: UnsafeRawBufferPointer
  /// Where the next record begins.
  private(set) var position: Int
  /// Of the record that was read last. There are ``maximumFields`` and one where it has more.
  private(set) var fields: [Field] = []
  private(set) var fault: Fault?

  /// - Parameter position: where the first record begins.
  init(_ text: UnsafeRawBufferPointer, from position: Int = 0) {
    (self.text, self.position) = (text, position)
  }

  /// Reads the next record.
  ///
  /// - Returns: its place, without the end of its line; `nil` behind the last one.
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
  /// What the field says.
  func bytes(of field: Field) -> Bytes {
    let raw = UnsafeRawBufferPointer(rebasing: text[field.range])
    guard field.hasQuotes else { return Bytes(copying: raw) }
    var writer = ByteWriter(capacity: raw.count)
    var wasQuote = false
    for byte in raw {
      // The second of two.
      wasQuote = byte == UInt8(ascii: "\"") && !wasQuote
      if byte != UInt8(ascii: "\"") || wasQuote { writer.append(byte) }
    }
    return writer.finish()
  }

  /// Appends a field, in quotes where it needs them.
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
    // Some programs take blanks at the ends away.
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
      UInt8(ascii: " "):
      true
    default: false
    }
  }
}
