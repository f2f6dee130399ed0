/// What an ICC profile says of itself (ICC.1:2022).
enum ColourProfile {
  /// How a picture's numbers are converted to sRGB.
  enum Conversion: Sendable, Equatable {
    /// Colours that both can show stay what they are.
    case relative
    /// For profiles that know no other way: libvips 8.14 passes over a profile that lacks the table it asks for.
    case perceptual
  }

  /// How the profile's pictures are to be converted; `nil` where they need not be: the profile is sRGB, or it is for
  /// another number of bands and so says nothing of these, which is when readers pass it over.
  ///
  /// A profile that only claims to be for them is found damaged by the conversion, which takes the numbers for sRGB then.
  static func conversion(by profile: UnsafeRawBufferPointer, bands: Int) -> Conversion? {
    guard profile.count >= 132 else { return nil }
    let spaces = ["GRAY": 1, "RGB ": 3, "CMYK": 4]
    guard spaces[tag(at: 16, in: profile)] == bands, !isSRGB(profile) else { return nil }
    return range(of: "A2B0", in: profile) != nil && range(of: "A2B1", in: profile) == nil
      ? .perceptual : .relative
  }

  /// Whether the profile is sRGB by its own description, so that its pictures need no conversion.
  ///
  /// Converting sRGB to sRGB costs as much as decoding and encoding together, and cameras embed it all the time.
  static func isSRGB(_ profile: UnsafeRawBufferPointer) -> Bool {
    guard profile.count >= 132, tag(at: 16, in: profile) == "RGB ",
      let description = range(of: "desc", in: profile)
    else { return false }
    // ASCII in version 2, UTF-16 in version 4: either way these letters in this order.
    let letters = profile[description].filter { $0 != 0 }
    return String(decoding: letters, as: UTF8.self).contains("sRGB IEC61966-2")
  }

  /// Where the profile keeps what it calls `name`; `nil` where it does not, or says that it is outside of itself.
  private static func range(of name: String, in profile: UnsafeRawBufferPointer) -> Range<Int>? {
    let count = min(number(at: 128, in: profile), 100)
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard entry + 12 <= profile.count else { return nil }
      guard tag(at: entry, in: profile) == name else { continue }
      let (start, length) = (number(at: entry + 4, in: profile), number(at: entry + 8, in: profile))
      guard start <= profile.count, length <= profile.count - start else { return nil }
      return start..<start + length
    }
    return nil
  }

  private static func number(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func tag(at index: Int, in bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes[index..<index + 4], as: UTF8.self)
  }
}
