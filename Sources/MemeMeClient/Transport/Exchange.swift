import Foundation
import Synchronization

/// One request and its answer, on their way: between the callbacks of URLSession and who waits for the answer.
final class Exchange: Sendable {
  private let pieces: AsyncThrowingStream<Data, any Error>
  private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  private let head = Mutex(Head.awaited(nil))
  private let unreadBytes = Mutex(0)
  private let mostUnreadBytes: Int
  private let bodyBytes: Int64
  private let progress: UploadProgress.Handler?

  private enum Head {
    case awaited(CheckedContinuation<AnswerHead, any Error>?)
    case known(Result<AnswerHead, any Error>)
  }

  /// - Parameters:
  ///   - mostUnreadBytes: how much may have come of the body that nobody has taken yet: not every URLSession can make the
  ///     server wait.
  ///   - bodyBytes: how large the request's body is.
  init(mostUnreadBytes: Int, bodyBytes: Int64, progress: UploadProgress.Handler?) {
    (pieces, continuation) = AsyncThrowingStream.makeStream()
    self.mostUnreadBytes = mostUnreadBytes
    self.bodyBytes = bodyBytes
    self.progress = progress
  }

  // What waits for the answer.

  /// Waits for the beginning of the answer. One may wait.
  func awaitHead(_ waiter: CheckedContinuation<AnswerHead, any Error>) {
    let known: Result<AnswerHead, any Error>? = head.withLock { head in
      if case .known(let result) = head { return result }
      head = .awaited(waiter)
      return nil
    }
    if let known { waiter.resume(with: known) }
  }

  /// Waits for the next piece of the answer's body. One may wait.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: `CancellationError` where the task that waits is cancelled: the stream ends then as if it were whole.
  func nextPiece() async throws -> Data? {
    var iterator = pieces.makeAsyncIterator()
    let piece = try await iterator.next()
    if let piece {
      unreadBytes.withLock { $0 -= piece.count }
    } else {
      try Task.checkCancellation()
    }
    return piece
  }

  // What URLSession tells.

  func received(_ answer: AnswerHead) { settle(.success(answer)) }

  /// - Returns: whether more may come.
  func received(_ piece: Data) -> Bool {
    let isTooMuch = unreadBytes.withLock { bytes in
      bytes += piece.count
      return bytes > mostUnreadBytes
    }
    if isTooMuch { ended(MemeMeError.tooSlow) } else { continuation.yield(piece) }
    return !isTooMuch
  }

  func sent(_ bytes: Int64) {
    progress?(UploadProgress(sentBytes: bytes, totalBytes: bodyBytes))
  }

  func ended(_ error: (any Error)?) {
    settle(.failure(error ?? MemeMeError.connection(.badServerResponse)))
    continuation.finish(throwing: error)
  }

  /// The first word counts.
  private func settle(_ result: Result<AnswerHead, any Error>) {
    let waiter: CheckedContinuation<AnswerHead, any Error>? = head.withLock { head in
      guard case .awaited(let waiter) = head else { return nil }
      head = .known(result)
      return waiter
    }
    waiter?.resume(with: result)
  }
}
