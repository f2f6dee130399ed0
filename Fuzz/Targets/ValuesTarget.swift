import Crypto
import Foundation
import Memes

/// Requires that lines end with LF, that tabs become spaces, and that nothing else changes.
private func requireKept(_ kept: String, of sent: String) throws {
  let isControl = { (scalar: UnicodeScalar) in
    scalar.properties.generalCategory == .control && scalar != "\n"
  }
  try require(!kept.unicodeScalars.contains(where: isControl), "no other control character is kept")
  try require(
    kept.unicodeScalars.filter { $0 != "\n" }
      == sent.replacing("\t", with: " ").unicodeScalars.filter { $0 != "\n" && $0 != "\r" },
    "and nothing else changes")
}

extension FuzzTarget {
  /// Small values in text form: ids, colors, tokens and captions; and times, which only the server writes.
  static let values = FuzzTarget(name: "values", maximumBytes: 512) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let id = MemeID(text) {
      try require(id.description == text.lowercased(), "an id is written as it was read")
      try require(text.utf8.count == 36, "in its 36 characters")
    }
    if let colour = try? Color(text) {
      try require(colour.description == text.lowercased(), "a colour is written as it was read")
    }
    if let decoded = Base64URL.decode(text) {
      try require(Base64URL.encode(decoded) == text, "bytes have one text")
    }
    try require(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "and every bytes have one")
    if let caption = try? CaptionText(text) {
      try require(try CaptionText(caption.text) == caption, "a caption may be sent again")
      try require(!caption.text.unicodeScalars.contains("\r"), "its lines end with LF")
      try requireKept(caption.text, of: text)
    }
    if let altText = try? AltText(text) { try requireKept(altText.text, of: text) }

    var input = Input(bytes)
    // The years 1601 to 2338. For earlier dates, Foundation uses the Julian calendar.
    let time = Timestamp(millisecondsSince1970: input.integer() % 11_644_473_600_000)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let seconds = Double(time.millisecondsSince1970) / 1000
    try require(
      abs(try style.parse(time.description).timeIntervalSince1970 - seconds) < 0.002,
      "a time is read as it was: \(time)")
    let made = MemeID.version7(
      at: Timestamp(millisecondsSince1970: input.integer()), random: UUID())
    try require(MemeID(made.description) == made, "an id that is made is one")
  }
}
