import Bytes
import Eventually
import HTTP
import Synchronization

/// A stream that a test feeds.
final class TestStream: BodyStream {
  private let pieces: AsyncStream<Bytes>
  private let feed: AsyncStream<Bytes>.Continuation
  private let questions = Atomic<Int>(0)
  private let cancellations = Atomic<Int>(0)

  init() { (pieces, feed) = AsyncStream.makeStream() }

  func give(_ text: String) { feed.yield(Bytes(text)) }
  func end() { feed.finish() }

  /// The number of requested pieces.
  var asked: Int { questions.load(ordering: .relaxed) }

  func next() async -> Bytes? {
    questions.add(1, ordering: .relaxed)
    return await withTaskCancellationHandler {
      for await piece in pieces { return piece }
      return nil
    } onCancel: {
      cancellations.add(1, ordering: .relaxed)
    }
  }

  /// Waits until `count` pieces were requested.
  func isAsked(_ count: Int) async throws {
    try await eventually("\(count) pieces are requested") { asked >= count }
  }

  /// Waits until the stream is canceled. Returns whether it was canceled exactly once.
  func isCancelled() async throws -> Bool {
    try await eventually("the stream is canceled") { cancellations.load(ordering: .relaxed) > 0 }
    return cancellations.load(ordering: .relaxed) == 1
  }
}

/// A stream that repeats a piece `count` times and pauses before some.
final class RepeatingStream: BodyStream {
  private let piece: Bytes
  private let count: Int
  private let pause: @Sendable (Int) async -> Void
  private let given = Atomic<Int>(0)

  init(
    _ piece: Bytes, count: Int, pause: @escaping @Sendable (Int) async -> Void = { _ in }
  ) {
    (self.piece, self.count, self.pause) = (piece, count, pause)
  }

  /// The number of requested pieces.
  var asked: Int { given.load(ordering: .relaxed) }

  func next() async -> Bytes? {
    let number = given.add(1, ordering: .relaxed).newValue
    guard number <= count else { return nil }
    await pause(number)
    return piece
  }
}

extension Response {
  /// Returns a 200 response with a text, followed by the stream.
  static func stream(_ stream: some BodyStream, after beginning: String = "") -> Response {
    var response = Response.text(beginning)
    response.stream = stream
    return response
  }
}
