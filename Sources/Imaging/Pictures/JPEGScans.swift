import Bytes
import Foundation

/// Counts the scans of a JPEG file.
///
/// A progressive picture may refine the same pixels in any number of scans, so a small file can keep the decoder busy
/// for minutes. Encoders write about ten scans.
enum JPEGScans {
  static let maximum = 64

  /// Counts the scans (SOS markers, ITU-T T.81 §B.2.3), but no further than `limit`.
  static func count(in file: Bytes, upTo limit: Int) -> Int {
    file.withUnsafeBytes { bytes in
      var (scans, index) = (0, 2)
      while index + 3 < bytes.count, scans < limit {
        guard bytes[index] == 0xFF else {
          // Entropy-coded data, or bytes that a decoder skips: continue at the next marker.
          index = next(0xFF, in: bytes, from: index)
          continue
        }
        let marker = bytes[index + 1]
        switch marker {
        case 0xFF: index += 1
        // These markers have no length field. A decoder that searches for the next restart marker steps over them byte
        // by byte. So a fake length must not hide the bytes after such a marker.
        case 0x00...0xBF, 0xD0...0xD8: index += 2
        case 0xD9: return scans
        default:
          if marker == 0xDA { scans += 1 }
          index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
        }
      }
      return scans
    }
  }

  private static func next(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from index: Int) -> Int
  {
    guard let base = bytes.baseAddress,
      let found = memchr(base + index, Int32(byte), bytes.count - index)
    else { return bytes.count }
    return UnsafeRawPointer(found) - base
  }
}
