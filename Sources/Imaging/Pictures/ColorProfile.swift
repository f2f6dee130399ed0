/// Reads the properties of an ICC profile (ICC.1:2022).
enum ColorProfile {
  /// The rendering intent with which a picture is converted to sRGB.
  enum Conversion: Sendable, Equatable {
    /// Colors that both color spaces can represent stay unchanged.
    case relative
    /// For profiles that support no other intent: libvips 8.14 ignores a profile that lacks the requested table.
    case perceptual
  }

  /// Returns the intent for converting the profile's pictures, or `nil` if they need no conversion.
  ///
  /// They need none if the profile is sRGB, or if it is for another number of bands: readers ignore such a profile. If
  /// a profile only claims to match the bands, the conversion finds it damaged and treats the pixels as sRGB.
  static func conversion(by profile: UnsafeRawBufferPointer, bands: Int) -> Conversion? {
    guard profile.count >= 132 else { return nil }
    let spaces = ["GRAY": 1, "RGB ": 3, "CMYK": 4]
    guard spaces[tag(at: 16, in: profile)] == bands, !isSRGB(profile) else { return nil }
    return range(of: "A2B0", in: profile) != nil && range(of: "A2B1", in: profile) == nil
      ? .perceptual : .relative
  }

  /// Whether the profile describes itself as sRGB, so that its pictures need no conversion.
  ///
  /// A conversion from sRGB to sRGB costs as much as decoding and encoding together, and cameras often
  /// embed such a profile.
  static func isSRGB(_ profile: UnsafeRawBufferPointer) -> Bool {
    guard profile.count >= 132, tag(at: 16, in: profile) == "RGB ",
      let description = range(of: "desc", in: profile)
    else { return false }
    // The description is ASCII in version 2 and UTF-16 in version 4. Without zero bytes, both contain the same letters.
    let letters = profile[description].filter { $0 != 0 }
    return String(decoding: letters, as: UTF8.self).contains("sRGB IEC61966-2")
  }

  /// Returns the range of the tag `name`, or `nil` if the profile lacks the tag or the range is out of bounds.
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
