/// What an ICC profile says of itself (ICC.1:2022).
enum ColourProfile {
  /// Whether the profile is sRGB by its own description, so that its pictures need no conversion.
  ///
  /// Converting sRGB to sRGB costs as much as decoding and encoding together, and cameras embed it all the time.
  static func isSRGB(_ profile: UnsafeRawBufferPointer) -> Bool {
    guard profile.count >= 132, tag(at: 16, in: profile) == "RGB " else { return false }
    let count = min(number(at: 128, in: profile), 100)
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard entry + 12 <= profile.count else { return false }
      guard tag(at: entry, in: profile) == "desc" else { continue }
      let (start, length) = (number(at: entry + 4, in: profile), number(at: entry + 8, in: profile))
      guard start <= profile.count, length <= profile.count - start else { return false }
      // ASCII in version 2, UTF-16 in version 4: either way these letters in this order.
      let letters = profile[start..<start + length].filter { $0 != 0 }
      return String(decoding: letters, as: UTF8.self).contains("sRGB IEC61966-2")
    }
    return false
  }

  private static func number(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func tag(at index: Int, in bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes[index..<index + 4], as: UTF8.self)
  }
}
