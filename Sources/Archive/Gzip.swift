package import Bytes
import CZlib

/// Compression with gzip (RFC 1952), for files that are served often without changes.
package enum Gzip {
  /// Compresses at zlib's highest level, on the calling thread. A text file takes milliseconds.
  ///
  /// - Returns: `nil` if the result is not smaller, or if memory cannot be allocated.
  package static func compress(_ bytes: Bytes) -> Bytes? {
    guard bytes.count > 0, let room = UInt32(exactly: bytes.count) else { return nil }
    var stream = z_stream()
    guard gzip_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: bytes.count)
    let isWhole = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        // zlib only reads from this pointer.
        stream.next_in = UnsafeMutablePointer(
          mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.avail_in = room
        stream.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.avail_out = room
        return deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    guard isWhole else { return nil }
    return Bytes(Array(output.prefix(output.count - Int(stream.avail_out))))
  }
}
