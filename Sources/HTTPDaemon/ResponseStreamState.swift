import Bytes
import HTTP

/// An answer that goes on, on its way from its stream to its client.
struct Flow {
  let stream: any BodyStream
  let connection: Connection
  private var piece: Bytes
  /// How much of the piece has been handed over.
  private var offset = 0
  /// Whether nothing follows the piece.
  private(set) var isOver = false

  /// - Parameter beginning: is sent before the stream is asked.
  init(_ stream: any BodyStream, after beginning: Bytes, on connection: Connection) {
    (self.stream, self.connection, piece) = (stream, connection, beginning)
  }

  /// Takes what the stream has given, where everything before it was handed over; `nil` is the end.
  mutating func add(_ next: Bytes?) {
    guard let next else { return end() }
    (piece, offset) = (next, 0)
  }

  /// Drops what is left.
  mutating func end() { (piece, offset, isOver) = (Bytes(), 0, true) }

  /// Hands over as much as there is and fits.
  ///
  /// - Returns: how many bytes.
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
