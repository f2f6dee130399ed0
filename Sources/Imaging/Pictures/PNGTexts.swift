import Bytes

/// Counts the compressed texts of a PNG file.
///
/// Each may grow a thousandfold when it is inflated, which a decoder does with every one of them before it looks at a pixel,
/// so a file of some megabytes can keep it busy long after its time. Programs that keep a drawing in its picture write some hundred
/// kilobytes.
enum PNGTexts {
  static let maximumBytes = 1 << 20

  /// What the file's chunks zTXt, and iTXt where it says so, have in all (PNG specification §11.3.3), inflated or not.
  static func compressedBytes(in file: Bytes) -> Int {
    file.withUnsafeBytes { bytes in
      // Behind the signature; a chunk is its length, its type, its data and a checksum.
      var (count, rest) = (0, bytes.dropFirst(8))
      while rest.count >= 12 {
        let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= rest.count - 12 else { return count }
        let (type, data) = (rest.dropFirst(4).prefix(4), rest.dropFirst(8).prefix(length))
        if type.elementsEqual("zTXt".utf8) || type.elementsEqual("iTXt".utf8) && isCompressed(data)
        {
          count += length
        }
        rest = rest.dropFirst(12 + length)
      }
      return count
    }
  }

  /// An iTXt's keyword ends with a NUL, behind which a flag stands.
  private static func isCompressed(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    let flag = text.drop { $0 != 0 }.dropFirst().first
    return flag.map { $0 != 0 } ?? false
  }
}
