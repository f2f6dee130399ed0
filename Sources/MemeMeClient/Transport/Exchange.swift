import Foundation
import Synchronization

/// A request and its response in progress, shared by the transport and the reader of the response.
final class Exchange: Sendable {
  let request: OutgoingRequest
  private let transport: any Transport
  private let progress: UploadProgress.Handler?
  private let pieces: AsyncThrowingStream<Data, any Error>
  private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  private let state = Mutex(State())

  /// How many bytes the response body may be ahead of its reader, plus one chunk.
  static let mostUnreadBytes = 256 << 10

  private struct State {
    var head: Result<AnswerHead, any Error>?
    var waiter: CheckedContinuation<AnswerHead, any Error>?
    var unreadBytes = 0
    var isHeldBack = false
    var isOver = false
  }

  init(_ request: OutgoingRequest, on transport: any Transport, progress: UploadProgress.Handler?) {
    (self.request, self.transport, self.progress) = (request, transport, progress)
    (pieces, continuation) = AsyncThrowingStream.makeStream()
  }

  /// Whether the exchange has completed, failed or been cancelled.
  var isOver: Bool { state.withLock(\.isOver) }

  // The reader's side.

  /// Sends the request and waits for the response head. Call it once.
  func head() async throws -> AnswerHead {
    try await withCheckedThrowingContinuation { waiter in
      let known = state.withLock { state in
        if state.head == nil { state.waiter = waiter }
        return state.head
      }
      if let known { waiter.resume(with: known) } else { transport.start(self) }
    }
  }

  /// Waits for the next chunk of the response body. Only one task may wait.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: `CancellationError` if the waiting task is cancelled, because the stream then ends like a complete one.
  func nextPiece() async throws -> Data? {
    var iterator = pieces.makeAsyncIterator()
    guard let piece = try await iterator.next() else {
      try Task.checkCancellation()
      return nil
    }
    let hasRoomAgain = state.withLock { state in
      state.unreadBytes -= piece.count
      guard state.isHeldBack, state.unreadBytes <= Self.mostUnreadBytes / 2 else { return false }
      state.isHeldBack = false
      return true
    }
    if hasRoomAgain { transport.proceed(with: self) }
    return piece
  }

  /// Ends the exchange if it is still active.
  func cancel() {
    if ended(CancellationError()) { transport.end(self) }
  }

  // The transport's side.

  func received(_ answer: AnswerHead) { settle(.success(answer)) }

  /// - Returns: Whether the transport may deliver more now. Otherwise it waits for ``Transport/proceed(with:)``.
  func received(_ piece: Data) -> Bool {
    defer { continuation.yield(piece) }
    return state.withLock { state in
      state.unreadBytes += piece.count
      state.isHeldBack = state.unreadBytes > Self.mostUnreadBytes
      return !state.isHeldBack
    }
  }

  func sent(_ bytes: Int64) {
    progress?(UploadProgress(sentBytes: bytes, totalBytes: request.bodyBytes))
  }

  /// - Parameter error: `nil` if the response is complete.
  /// - Returns: Whether the exchange was still active. Only the first call has an effect.
  @discardableResult
  func ended(_ error: (any Error)?) -> Bool {
    let isNews = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isNews else { return false }
    settle(.failure(error ?? MemeMeError.connection(.badServerResponse)))
    continuation.finish(throwing: error)
    return true
  }

  private func settle(_ head: Result<AnswerHead, any Error>) {
    let waiter: CheckedContinuation<AnswerHead, any Error>? = state.withLock { state in
      guard state.head == nil else { return nil }
      state.head = head
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: head)
  }
}
