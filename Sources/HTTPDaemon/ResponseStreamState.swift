import Bytes
import HTTP

/// A streaming response in progress, between its stream and its client.
struct ResponseStreamState {
  let stream: any BodyStream
  let connection: Connection
  private var piece: Bytes
  /// How many bytes of the chunk have been sent.
  private var offset = 0
  /// Whether no data follows the current chunk.
  private(set) var isOver = false

  /// - Parameter beginning: the data to send before the stream's first chunk.
  init(_ stream: any BodyStream, after beginning: Bytes, on connection: Connection) {
    (self.stream, self.connection, piece) = (stream, connection, beginning)
  }

  /// Stores the stream's next chunk, after the previous one was sent completely. `nil` ends the stream.
  mutating func add(_ next: Bytes?) {
    guard let next else { return end() }
    (piece, offset) = (next, 0)
  }

  /// Drops the remaining data and ends the stream.
  mutating func end() { (piece, offset, isOver) = (Bytes(), 0, true) }

  /// Copies as much of the chunk as fits into the buffer.
  ///
  /// - Returns: the number of bytes copied.
  mutating func hand(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = piece.withUnsafeBytes { piece in
      let rest = piece[offset...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
    offset += count
    if offset == piece.count { (piece, offset) = (Bytes(), 0) }
    return count
  }
}
