import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests by URLSession and hands over the answers' pieces as they come.
///
/// Nothing of an answer is cached, no cookie is taken, and no redirection followed.
final class Transport: Sendable {
  private let session: URLSession
  private let exchanges = ExchangeTable()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    // A long poll and a stream of events hold one each.
    configuration.httpMaximumConnectionsPerHost = 12
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  // A session holds its delegate until it is told that it is over.
  deinit { session.finishTasksAndInvalidate() }

  /// Sends a request and waits for the beginning of its answer.
  func open(
    _ request: URLRequest, file: SpooledFile? = nil, progress: UploadProgress.Handler? = nil
  ) async throws -> IncomingAnswer {
    try Task.checkCancellation()
    let task =
      file.map { session.uploadTask(with: request, fromFile: $0.url) }
      ?? session.dataTask(with: request)
    let exchange = Exchange(progress: progress)
    exchanges.add(exchange, task)
    let end: @Sendable () -> Void = { [exchanges] in
      // Who waits is told at once, whatever URLSession says and when; and it takes locks of its own to cancel, which are
      // not to be waited for in the midst of a task's cancellation.
      exchanges.remove(task)?.ended(CancellationError())
      DispatchQueue.global().async { task.cancel() }
    }
    let head = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        exchange.awaitHead(waiter)
        task.resume()
      }
    } onCancel: {
      end()
    }
    return IncomingAnswer(head: head, pieces: exchange.pieces, end: end)
  }
}

/// An answer whose body still comes. Who lets go of it ends it.
final class IncomingAnswer: Sendable {
  let head: AnswerHead
  /// To be read once.
  let pieces: AsyncThrowingStream<Data, any Error>
  private let end: @Sendable () -> Void

  fileprivate init(
    head: AnswerHead, pieces: AsyncThrowingStream<Data, any Error>,
    end: @escaping @Sendable () -> Void
  ) {
    self.head = head
    self.pieces = pieces
    self.end = end
  }

  deinit { end() }

  /// Hands the body's pieces to `body` as they come.
  ///
  /// - Throws: `CancellationError` where the task that reads is cancelled: the stream ends then as if it were whole.
  func forEach(_ body: (Data) throws -> Void) async throws {
    for try await piece in pieces { try body(piece) }
    try Task.checkCancellation()
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
