import Bytes

/// Measures the compressed texts of a PNG file.
///
/// A compressed text can expand a thousandfold, and a decoder inflates every text before it reads a pixel. So a file of
/// a few megabytes can keep the decoder busy long past its time limit. Programs that embed a drawing in its picture
/// write some hundred kilobytes.
enum PNGTexts {
  static let maximumBytes = 1 << 20

  /// Returns the total length of the zTXt chunks and the compressed iTXt chunks (PNG
  /// specification §11.3.3), before inflating.
  static func compressedBytes(in file: Bytes) -> Int {
    file.withUnsafeBytes { bytes in
      // The chunks follow the signature. A chunk is a length, a type, data and a checksum.
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

  /// In an iTXt chunk, the compression flag follows the NUL that ends the keyword.
  private static func isCompressed(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    let flag = text.drop { $0 != 0 }.dropFirst().first
    return flag.map { $0 != 0 } ?? false
  }
}
