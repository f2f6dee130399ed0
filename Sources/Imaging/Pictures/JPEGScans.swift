import Bytes
import Foundation

/// Counts the scans of a JPEG file.
///
/// A progressive picture may refine the same pixels in any number of scans, so a small file can keep the decoder busy
/// for minutes. Encoders write about ten scans.
enum JPEGScans {
  static let maximum = 64

  /// Counts the scans (SOS markers, ITU-T T.81 §B.2.3), but no further than `limit`.
  ///
  /// If the first scan of a sequential picture has all its components, the decoder reads no other. Most files are like
  /// this, and then only their header is read.
  static func count(in file: Bytes, upTo limit: Int) -> Int {
    file.withUnsafeBytes { bytes in
      var (scans, index) = (0, 2)
      var frame = Frame.none
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
          if marker == 0xDA {
            scans += 1
            if scans == 1, index + 4 < bytes.count, frame == .sequential(bytes[index + 4]) {
              return scans
            }
          } else if isFrame(marker) {
            // The decoder rejects a second frame. Only a first one of a known kind can end the search.
            frame =
              frame == .none && marker <= 0xC1 && index + 9 < bytes.count
              ? .sequential(bytes[index + 9]) : .other
          }
          index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
        }
      }
      return scans
    }
  }

  /// The frame whose header was read.
  private enum Frame: Equatable {
    case none
    /// A baseline or extended sequential frame with Huffman coding, with this many components.
    case sequential(UInt8)
    case other
  }

  /// Whether the marker begins the header of a frame: SOF0 to SOF15, without DHT, JPG and DAC.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }

  private static func next(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from index: Int) -> Int
  {
    guard let base = bytes.baseAddress,
      let found = memchr(base + index, Int32(byte), bytes.count - index)
    else { return bytes.count }
    return UnsafeRawPointer(found) - base
  }
}
