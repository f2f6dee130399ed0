package import Bytes
import CZlib

/// Files in fewer bytes (RFC 1952), for what is sent again and again as it is.
package enum Gzip {
  /// Compresses as far as zlib can, on the calling thread: milliseconds for a file of text.
  ///
  /// - Returns: `nil` where that makes it no smaller, or there is no memory.
  package static func compress(_ bytes: Bytes) -> Bytes? {
    guard bytes.count > 0, let room = UInt32(exactly: bytes.count) else { return nil }
    var stream = z_stream()
    guard gzip_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: bytes.count)
    let isWhole = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        // zlib reads from there and no more.
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
