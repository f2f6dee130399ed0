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

  /// How many pieces were asked for.
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

  /// Waits until this many pieces were asked for.
  func isAsked(_ count: Int) async throws {
    try await eventually("\(count) pieces are asked for") { asked >= count }
  }

  /// Waits until it is cancelled.
  func isCancelled() async throws -> Bool {
    try await eventually("the stream is cancelled") { cancellations.load(ordering: .relaxed) > 0 }
    return cancellations.load(ordering: .relaxed) == 1
  }
}

/// A stream that has the same piece so many times, and pauses before some.
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

  /// How many were asked for.
  var asked: Int { given.load(ordering: .relaxed) }

  func next() async -> Bytes? {
    let number = given.add(1, ordering: .relaxed).newValue
    guard number <= count else { return nil }
    await pause(number)
    return piece
  }
}

extension Response {
  /// 200 with a text that begins and goes on.
  static func stream(_ stream: some BodyStream, after beginning: String = "") -> Response {
    var response = Response.text(beginning)
    response.stream = stream
    return response
  }
}
