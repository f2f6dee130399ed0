import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its answer, on their way: between the callbacks of URLSession and who waits for the answer.
final class Exchange: Sendable {
  /// The answer's body, in the pieces that it comes in.
  let pieces: AsyncThrowingStream<Data, any Error>
  private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  private let progress: UploadProgress.Handler?
  private let head = Mutex(Head.awaited(nil))

  private enum Head {
    case awaited(CheckedContinuation<AnswerHead, any Error>?)
    case known(Result<AnswerHead, any Error>)
  }

  init(progress: UploadProgress.Handler?) {
    (pieces, continuation) = AsyncThrowingStream.makeStream()
    self.progress = progress
  }

  /// Waits for the beginning of the answer. One may wait.
  func awaitHead(_ waiter: CheckedContinuation<AnswerHead, any Error>) {
    let known: Result<AnswerHead, any Error>? = head.withLock { head in
      if case .known(let result) = head { return result }
      head = .awaited(waiter)
      return nil
    }
    if let known { waiter.resume(with: known) }
  }

  func received(_ answer: AnswerHead) { settle(.success(answer)) }

  func received(_ piece: Data) { continuation.yield(piece) }

  func sent(_ bytes: Int64, of total: Int64) {
    progress?(UploadProgress(sentBytes: bytes, totalBytes: total))
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
