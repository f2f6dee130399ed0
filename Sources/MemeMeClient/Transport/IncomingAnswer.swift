import Foundation

/// An answer whose body still comes. Who lets go of it ends it.
final class IncomingAnswer: Sendable {
  let head: AnswerHead
  private let exchange: Exchange

  init(head: AnswerHead, exchange: Exchange) { (self.head, self.exchange) = (head, exchange) }

  deinit { exchange.cancel() }

  /// The next piece of the body.
  ///
  /// - Returns: `nil` at the end.
  func next() async throws -> Data? { try await exchange.nextPiece() }

  /// Hands the body's pieces to `body` as they come.
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
