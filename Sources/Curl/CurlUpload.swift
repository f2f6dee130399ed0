package import Bytes

/// The body of a request, which libcurl takes piece by piece: what ``CurlPeer/send(into:)`` needs.
package struct CurlUpload {
  private let bytes: Bytes
  private var sentBytes = 0

  package init(_ bytes: Bytes) { self.bytes = bytes }

  package var count: Int { bytes.count }

  /// Whether libcurl has taken all bytes.
  package var isSent: Bool { sentBytes == bytes.count }

  /// Writes the next piece into the buffer.
  ///
  /// - Returns: the number of bytes written, 0 at the end.
  package mutating func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = bytes.withUnsafeBytes { bytes in
      let piece = bytes[sentBytes...].prefix(buffer.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
      return piece.count
    }
    sentBytes += count
    return count
  }
}
