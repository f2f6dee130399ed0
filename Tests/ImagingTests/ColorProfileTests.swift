import Testing

@testable import Imaging

struct ColorProfileTests {
  /// A profile that contains only a description.
  private func profile(_ description: [UInt8], space: String = "RGB ", length: UInt8? = nil)
    -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0, count: 144)
    bytes.replaceSubrange(16..<20, with: Array(space.utf8))
    bytes.replaceSubrange(128..<132, with: [0, 0, 0, 1])
    bytes.replaceSubrange(132..<136, with: Array("desc".utf8))
    bytes.replaceSubrange(136..<140, with: [0, 0, 0, 144])
    bytes.replaceSubrange(140..<144, with: [0, 0, 0, length ?? UInt8(description.count)])
    return bytes + description
  }

  private func isSRGB(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { ColorProfile.isSRGB($0) }
  }

  @Test func `sRGB is recognized by its description in both profile versions`() {
    let name = Array("desc\0\0\0\0sRGB IEC61966-2.1".utf8)
    #expect(isSRGB(profile(name)))
    #expect(isSRGB(profile(name.flatMap { [0, $0] })))
  }

  @Test func `another profile, or a damaged one, is not taken for sRGB`() {
    let name = Array("sRGB IEC61966-2.1".utf8)
    #expect(!isSRGB(profile(Array("Display P3".utf8))))
    #expect(!isSRGB(profile(name, space: "CMYK")))
    #expect(!isSRGB(profile(name, length: 255)))
    for count in 0..<144 { #expect(!isSRGB(Array(profile(name)[..<count]))) }
  }

  @Test func `a profile counts only if it fits the color space of the picture`() {
    func isNeeded(_ space: String, bands: Int) -> Bool {
      profile(Array("Display P3".utf8), space: space).withUnsafeBytes {
        ColorProfile.conversion(by: $0, bands: bands) == .relative
      }
    }
    #expect(isNeeded("RGB ", bands: 3))
    #expect(isNeeded("GRAY", bands: 1))
    #expect(isNeeded("CMYK", bands: 4))
    #expect(!isNeeded("RGB ", bands: 1))
    #expect(!isNeeded("CMYK", bands: 3))
    #expect(!isNeeded("Lab ", bands: 3))
    for count in 0..<132 {
      let cut = Array(profile([])[..<count])
      #expect(cut.withUnsafeBytes { ColorProfile.conversion(by: $0, bands: 3) } == nil)
    }
  }
}
