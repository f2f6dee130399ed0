package import Bytes

/// What an answer goes on with: pieces that come to be while it is sent.
///
/// The daemon asks for a piece once everything before it was handed to the system. So at most one is in memory for each client,
/// and who reads slowly makes none.
package protocol BodyStream: AnyObject, Sendable {
  /// Waits for the next piece.
  ///
  /// Called again when it has returned and the piece is taken; never for HEAD. Cancelled when the client is gone or the server
  /// stops, and what it returns then goes to nobody. No call follows, and the stream is let go of.
  ///
  /// - Returns: a piece that is not empty; `nil` at the end.
  func next() async -> Bytes?
}
