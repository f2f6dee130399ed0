import Bytes
import Memes
import SQLite

/// Reads the column `fit`: the JSON that ``StoredFit`` writes, its members in any order, and nothing else.
///
/// Every row of a list has one. A reader of any JSON took a third of a page's time to find out what is known here: which
/// members there are, of which types, and that there is no white space.
struct StoredFitReader {
  private let bytes: [UInt8]
  private var position = 0

  /// - Throws: `.mismatch` where the text is anything else.
  static func read(_ json: String) throws(SQLiteError) -> [CaptionFit] {
    // Pictures without captions are many.
    if json == "[]" { return [] }
    var reader = StoredFitReader(bytes: Array(json.utf8))
    let fits = try reader.array { reader throws(SQLiteError) in try reader.fit() }
    guard reader.position == reader.bytes.count else { throw reader.damage }
    return fits
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var damage: SQLiteError {
    SQLiteError(.mismatch, "A fit is stored that cannot be read; its first \(position) bytes can.")
  }

  private mutating func fit() throws(SQLiteError) -> CaptionFit {
    var (place, fontSize, lines): (CaptionFit.Position?, Double?, Int?)
    var (shrunk, truncated, missingGlyphs): (Bool?, Bool?, [String]?)
    try expect("{")
    repeat {
      if take("\"position\":") {
        place = try oneOf(("\"top\"", .top), ("\"bottom\"", .bottom))
      } else if take("\"fontSize\":") {
        fontSize = Double(try numeral())
      } else if take("\"lines\":") {
        lines = Int(try numeral())
      } else if take("\"shrunk\":") {
        shrunk = try oneOf(("true", true), ("false", false))
      } else if take("\"truncated\":") {
        truncated = try oneOf(("true", true), ("false", false))
      } else if take("\"missingGlyphs\":") {
        missingGlyphs = try array { reader throws(SQLiteError) in try reader.text() }
      } else {
        throw damage
      }
    } while take(",")
    try expect("}")
    guard let place, let fontSize, let lines, let shrunk, let truncated, let missingGlyphs,
      fontSize.isFinite
    else { throw damage }
    return CaptionFit(
      position: place, fontSize: fontSize, lines: lines, shrunk: shrunk, truncated: truncated,
      missingGlyphs: missingGlyphs)
  }

  private mutating func array<Element>(
    _ element: (inout StoredFitReader) throws(SQLiteError) -> Element
  ) throws(SQLiteError) -> [Element] {
    try expect("[")
    if take("]") { return [] }
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while take(",")
    try expect("]")
    return elements
  }

  private mutating func oneOf<Value>(
    _ choices: (StaticString, Value)...
  ) throws(SQLiteError) -> Value {
    for (text, value) in choices where take(text) { return value }
    throw damage
  }

  /// The text of a number (RFC 8259 §6).
  private mutating func numeral() throws(SQLiteError) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(SQLiteError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw damage }
  }

  private mutating func text() throws(SQLiteError) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while !take("\"") {
      guard let byte = next, byte >= 0x20 else { throw damage }
      if take("\\") {
        text += try escaped().utf8
      } else {
        position += 1
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What stands behind a backslash. Whoever writes UTF-8 escapes no halves of surrogate pairs.
  private mutating func escaped() throws(SQLiteError) -> String {
    for (letter, text) in Self.escapes where take(letter) { return text }
    try expect("u")
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(Hexadecimal.value) else { throw damage }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    guard let scalar = Unicode.Scalar(value) else { throw damage }
    return String(scalar)
  }

  private static let escapes: [(StaticString, String)] = [
    ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"),
    ("r", "\r"), ("t", "\t"),
  ]
}

extension StoredFitReader {
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Goes past this text if it comes next.
  private mutating func take(_ text: StaticString) -> Bool {
    let isNext = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    if isNext { position += text.utf8CodeUnitCount }
    return isNext
  }

  private mutating func expect(_ text: StaticString) throws(SQLiteError) {
    guard take(text) else { throw damage }
  }
}
