/// Makes files whose metadata contains secrets.
package enum TellingPicture {
  /// The secrets. No public file may contain them.
  package static let secrets = [
    "SECRET-NAME", "SECRET-GPS", "SECRET-SMALL", "SECRET-XMP", "SECRET-NOTE",
  ]

  /// A JPEG with an orientation, a location, a thumbnail and texts, in EXIF, in XMP and in a comment.
  package static func jpeg(_ file: [UInt8], orientation: UInt8 = 1) -> [UInt8] {
    let small: [UInt8] = [0xFF, 0xD8] + Array("SECRET-SMALL".utf8) + [0xFF, 0xD9]
    // Numbers are big-endian; offsets count from "MM" (TIFF 6.0, Exif 2.3).
    var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 3]
    tiff += entry(0x010E, type: 2, count: 12, value: [0, 0, 0, 50])
    tiff += entry(0x0112, type: 3, count: 1, value: [0, orientation, 0, 0])
    tiff += entry(0x8825, type: 4, count: 1, value: [0, 0, 0, 62])
    tiff += [0, 0, 0, 94]
    tiff += Array("SECRET-NAME\0".utf8)
    tiff += [0, 1] + entry(0x001D, type: 2, count: 11, value: [0, 0, 0, 80]) + [0, 0, 0, 0]
    tiff += Array("SECRET-GPS\0\0\0\0".utf8)
    tiff += [0, 2] + entry(0x0201, type: 4, count: 1, value: [0, 0, 0, 124])
    tiff += entry(0x0202, type: 4, count: 1, value: [0, 0, 0, UInt8(small.count)]) + [0, 0, 0, 0]
    tiff += small
    let xmp =
      "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">SECRET-XMP</x:xmpmeta>"
    let segments =
      segment(0xE1, Array("Exif\0\0".utf8) + tiff) + segment(0xE1, Array(xmp.utf8))
      + segment(0xFE, Array("SECRET-NOTE".utf8))
    return Array(file.prefix(2)) + segments + file.dropFirst(2)
  }

  /// A PNG with a text chunk.
  package static func png(_ file: [UInt8]) -> [UInt8] {
    let chunk = Array("tEXtComment\0SECRET-NOTE".utf8)
    let length = bigEndian(UInt32(chunk.count - 4))
    // After the signature and IHDR.
    return Array(file.prefix(33)) + length + chunk + bigEndian(crc32(chunk)) + file.dropFirst(33)
  }

  private static func entry(
    _ tag: UInt16, type: UInt8, count: UInt8, value: [UInt8]
  ) -> [UInt8] {
    [UInt8(tag >> 8), UInt8(tag & 0xFF), 0, type, 0, 0, 0, count] + value
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> UInt32($0) & 0xFF) }
  }

  /// The checksum of PNG (ISO 3309).
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
