import Foundation

/// A response whose body is still being received. Releasing it ends the exchange.
final class IncomingAnswer: Sendable {
  let head: AnswerHead
  private let exchange: Exchange

  init(head: AnswerHead, exchange: Exchange) { (self.head, self.exchange) = (head, exchange) }

  deinit { exchange.cancel() }

  /// Returns the next chunk of the body.
  ///
  /// - Returns: `nil` at the end.
  func next() async throws -> Data? { try await exchange.nextPiece() }

  /// Passes the chunks of the body to `body` as they arrive.
  func forEach(_ body: (Data) throws -> Void) async throws {
    while let piece = try await next() { try body(piece) }
  }

  /// Reads the whole body into memory.
  func collect(atMost bytes: Int) async throws -> Answer {
    var whole = Data()
    try await forEach { piece in
      guard whole.count + piece.count <= bytes else { throw MemeMeError.answerTooLarge }
      whole.append(piece)
    }
    return Answer(head: head, body: whole)
  }
}
