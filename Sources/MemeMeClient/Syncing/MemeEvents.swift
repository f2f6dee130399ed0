import Foundation

/// A change, delivered when it happens.
public struct MemeEvent: Sendable, Hashable {
  public let change: MemeChange
  /// The position after this event, for resuming the stream.
  public let cursor: Cursor

  public init(change: MemeChange, cursor: Cursor) {
    self.change = change
    self.cursor = cursor
  }
}

/// The changes to the signed-in user's memes as they happen. No change is missed or delivered twice.
///
/// If the connection is lost, the sequence reconnects and continues after the last change received. If the loop is
/// slow, the server waits, and closes the connection after some time.
///
/// The sequence only ends by throwing an error, such as the problem `cursorExpired`, or when its task is cancelled.
public struct MemeEvents: AsyncSequence, Sendable {
  let client: MemeMeClient
  let cursor: Cursor?

  public func makeAsyncIterator() -> Iterator { Iterator(client: client, cursor: cursor) }

  public struct Iterator: AsyncIteratorProtocol {
    private let client: MemeMeClient
    private var parser: EventStreamParser
    private var stream: IncomingAnswer?
    private var events: ArraySlice<EventStreamParser.Event> = []
    private var attempts = 1

    init(client: MemeMeClient, cursor: Cursor?) {
      self.client = client
      parser = EventStreamParser(lastID: cursor?.text)
    }

    public mutating func next() async throws -> MemeEvent? {
      while true {
        try Task.checkCancellation()
        if let event = events.popFirst() {
          guard event.type == "message", let id = event.id else { continue }
          let change = try JSONDecoder.mememe.decode(MemeChange.self, from: Data(event.data.utf8))
          return MemeEvent(change: change, cursor: Cursor(id))
        }
        try await read()
      }
    }

    /// Reads a chunk of the stream. Opens a new stream if none is open.
    private mutating func read() async throws {
      do {
        let stream = try await opened()
        guard let piece = try await stream.next() else {
          throw MemeMeError.connection(.networkConnectionLost)
        }
        attempts = 1
        events = try parser.take(piece)[...]
      } catch let error as MemeMeError {
        stream = nil
        guard let pause = pause(error) else { throw error }
        attempts += 1
        try await Task.sleep(for: Swift.max(pause, parser.reconnectionTime ?? .zero))
      } catch is EventStreamParser.Failure {
        throw MemeMeError.answerTooLarge
      }
    }

    private mutating func opened() async throws -> IncomingAnswer {
      if let stream { return stream }
      let stream = try await client.openEvents(after: parser.lastID)
      parser = EventStreamParser(lastID: parser.lastID)
      self.stream = stream
      return stream
    }

    /// A stream that is silent for too long counts as a lost connection.
    private func pause(_ error: MemeMeError) -> Duration? {
      client.retries.pause(
        after: attempts, error == .timeout ? .connection(.networkConnectionLost) : error)
    }
  }
}

extension MemeMeClient {
  /// The changes to the signed-in user's memes as they happen.
  ///
  /// - Parameter cursor: The position after which to start, from ``changes(since:limit:wait:)`` or an event. With
  ///   `nil`, the events start now.
  public func events(since cursor: Cursor? = nil) -> MemeEvents {
    MemeEvents(client: self, cursor: cursor)
  }

  fileprivate func openEvents(after id: String?) async throws -> IncomingAnswer {
    var call = Call(.followChanges)
    call.accept = "text/event-stream"
    if let id { call.headers["Last-Event-ID"] = id }
    let answer = try await open(call)
    guard answer.head["Content-Type"]?.hasPrefix("text/event-stream") == true else {
      throw Answer(head: answer.head, body: Data()).failure
    }
    return answer
  }
}
