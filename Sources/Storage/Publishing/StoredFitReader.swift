import Bytes
import Memes
import SQL

/// Reads the column `fit`: the JSON that ``StoredFit`` writes, with members in any order, and no other JSON.
///
/// Every row of a list has this column. A general JSON reader took a third of a page's time to detect what is known
/// here: the names and types of the members, and the absence of white space.
struct StoredFitReader {
  private let bytes: [UInt8]
  private var offset = 0

  /// - Throws: `.mismatch` if the text is anything else.
  static func read(_ json: String) throws -> [CaptionFit] {
    // Many pictures have no captions.
    if json == "[]" { return [] }
    var reader = StoredFitReader(bytes: Array(json.utf8))
    let fits = try reader.array { reader in try reader.fit() }
    guard reader.offset == reader.bytes.count else { throw reader.damage }
    return fits
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var damage: DatabaseError {
    DatabaseError(.mismatch, "Invalid caption layout in the database at byte \(offset).")
  }

  private mutating func fit() throws -> CaptionFit {
    var (position, fontSize, lines): (CaptionFit.Position?, Double?, Int?)
    var (shrunk, truncated, missingGlyphs): (Bool?, Bool?, [String]?)
    try expect("{")
    repeat {
      try expect("\"")
      // The first letter identifies a name.
      switch next {
      case UInt8(ascii: "p"):
        try expect("position\":")
        position = try captionPosition()
      case UInt8(ascii: "f"):
        try expect("fontSize\":")
        fontSize = Double(try numeral())
      case UInt8(ascii: "l"):
        try expect("lines\":")
        lines = Int(try numeral())
      case UInt8(ascii: "s"):
        try expect("shrunk\":")
        shrunk = try flag()
      case UInt8(ascii: "t"):
        try expect("truncated\":")
        truncated = try flag()
      default:
        try expect("missingGlyphs\":")
        missingGlyphs = try array { reader in try reader.text() }
      }
    } while take(",")
    try expect("}")
    guard let position, let fontSize, let lines, let shrunk, let truncated, let missingGlyphs,
      fontSize.isFinite
    else { throw damage }
    return CaptionFit(
      position: position, fontSize: fontSize, lines: lines, shrunk: shrunk, truncated: truncated,
      missingGlyphs: missingGlyphs)
  }

  private mutating func array<Element>(
    _ element: (inout StoredFitReader) throws -> Element
  ) throws -> [Element] {
    try expect("[")
    if take("]") { return [] }
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while take(",")
    try expect("]")
    return elements
  }

  private mutating func captionPosition() throws -> CaptionFit.Position {
    if take("\"top\"") { return .top }
    if take("\"bottom\"") { return .bottom }
    try expect("\"captions[")
    guard let index = Int(try numeral()), index >= 0 else { throw damage }
    try expect("]\"")
    return .box(index)
  }

  private mutating func flag() throws -> Bool {
    if take("true") { return true }
    try expect("false")
    return false
  }

  /// The text of a number (RFC 8259 §6).
  private mutating func numeral() throws -> String {
    let start = offset
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() throws {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw damage }
  }

  private mutating func text() throws -> String {
    try expect("\"")
    var text: [UInt8] = []
    while !take("\"") {
      guard let byte = next, byte >= 0x20 else { throw damage }
      if take("\\") {
        text += try escaped().utf8
      } else {
        offset += 1
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The character after a backslash. The text is written as UTF-8, so it has no escaped surrogate pairs.
  private mutating func escaped() throws -> String {
    for (letter, text) in Self.escapes where take(letter) { return text }
    try expect("u")
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(Hexadecimal.value) else { throw damage }
      value = value << 4 | UInt32(digit)
      offset += 1
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
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Skips this text if it comes next.
  private mutating func take(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard bytes.count - offset >= text.count,
        text.indices.allSatisfy({ bytes[offset + $0] == text[$0] })
      else { return false }
      offset += text.count
      return true
    }
  }

  private mutating func expect(_ text: StaticString) throws {
    guard take(text) else { throw damage }
  }
}
