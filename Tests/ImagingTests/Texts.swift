/// Deterministic random captions.
struct Texts {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private static let words = [
    "a", "one", "does", "not", "simply", "walk", "into", "Mordor", "ÅNGSTRÖM", "Ñandú", "jumpy,",
    "Q;",
    "WWWWW", "iiiii", "Donaudampfschifffahrt", "😀", "🚀🔥", "שלום", "مرحبا", "你好世界", "Привет", "ẨỖ",
    "&", "<b>",
    "(fj)", "ﷺ", "ก็", "नमस्ते",
  ]

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % range.count
  }

  mutating func words(_ count: ClosedRange<Int>, latin: Bool = true) -> String {
    let last = latin ? 9 : Self.words.count - 1
    return (0..<number(count)).map { _ in Self.words[number(0...last)] }.joined(separator: " ")
  }

  /// Returns text in any script, with an occasional line break.
  mutating func text() -> String {
    (0..<number(1...14)).map { _ in
      Self.words[number(0...Self.words.count - 1)] + (number(0...6) == 0 ? "\n" : " ")
    }.joined() + "x"
  }
}
