/// Deterministic random numbers and texts (SplitMix64).
struct Seeded {
  var state: UInt64

  mutating func number(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  /// Returns words of several scripts, mixed with characters that have a meaning in a mail.
  mutating func text(upTo limit: Int) -> String {
    let pieces = [
      "=", "?", "=?", "?=", "_", ".", "\n.", "\n", " ", "\"", "\\", ";", ",", "<", ">", "@", "%",
      "'", "*",
      "a", "word", "From ", "ä", "日本", "🎉", "👩‍👩‍👧‍👦", "e\u{301}", "שלום", "\u{202E}", "--", "=3D",
    ]
    return (0..<number(below: limit)).reduce(into: "") { text, _ in
      text += pieces[number(below: pieces.count)]
    }
  }
}
