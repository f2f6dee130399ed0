import Foundation
import MemeMeClient
import Support
import Testing
import Wire

/// Responses that end after each of their bytes.
struct CutAnswerTests {
  enum End: CaseIterable, Sendable {
    /// As a server closes a connection.
    case close
    /// As a machine does after it has lost the state of the connection.
    case reset

    func reply(_ text: String) -> ScriptedServer.Reply {
      switch self {
      case .close: .sendAndClose(text)
      case .reset: .sendAndReset(text)
      }
    }
  }

  /// The first `count` bytes. Characters would not do, because a line end is a single one.
  private static func prefix(_ text: String, _ count: Int) -> String {
    String(decoding: text.utf8.prefix(count), as: UTF8.self)
  }

  private static let healthy = ScriptedServer.answer(
    "200 OK", #"{"status":"ok"}"#, headers: ["X-Request-Id: 12345678"])

  private static let inChunks =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    + "5\r\n{\"sta\r\na;x=y\r\ntus\":\"ok\"}\r\n0\r\n\r\n"

  private static let behindHints =
    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 0\r\n\r\n\(healthy)"

  @Test(arguments: [healthy, inChunks, behindHints], End.allCases)
  func `an incomplete response is an error, wherever it ends`(
    answer: String, end: End
  ) async throws {
    // After the last chunk only a line end is missing, and half of it is enough.
    let needed = answer.utf8.count - (answer == Self.inChunks ? 1 : 0)
    try await withScript({ request in end.reply(Self.prefix(answer, request.number)) }) { server in
      let client = server.client()
      for count in 0..<needed {
        let failure = await failure { try await client.checkHealth() }
        if failure != "connection" { Issue.record("after \(count) bytes: \(failure)") }
      }
      #expect(server.requests.count == needed)
    }
    try await withScript({ _ in .sendAndClose(answer) }) { server in
      try await server.client().checkHealth()
    }
  }

  @Test(arguments: End.allCases)
  func `an incomplete rejection is a connection error`(end: End) async throws {
    let answer = ScriptedServer.problem(410, "gone")
    try await withScript({ request in end.reply(Self.prefix(answer, request.number)) }) { server in
      let client = server.client()
      for count in 0..<answer.utf8.count {
        let failure = await failure { try await client.delete(Meme.ID()) }
        if failure != "connection" { Issue.record("after \(count) bytes: \(failure)") }
      }
    }
  }

  @Test func `a request with a key is repeated, wherever its response ended`() async throws {
    let answer = ScriptedServer.answer("200 OK", "picture", type: "image/jpeg")
    try await withScript({ request in
      request.number.isMultiple(of: 2)
        ? .sendAndClose(Self.prefix(answer, request.number / 2)) : .send(answer)
    }) { server in
      let client = server.client(retries: RetryPolicy(attempts: 2, firstPause: .microseconds(10)))
      for count in 0..<answer.utf8.count {
        let before = server.requests.count
        let picture = noise(300)
        let drawn = try await client.preview(MemeDraft(.image(.data(picture))))
        if drawn.data != Data("picture".utf8) { Issue.record("after \(count) bytes: \(drawn)") }
        let requests = server.requests[before...]
        #expect(requests.count == 2)
        #expect(requests.allSatisfy { Data($0.body).range(of: picture) != nil })
      }
    }
  }

  @Test func `an event stream loses and repeats no event, wherever it ends`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    let events = (1...3).map { number in
      "id: c\(number)\ndata: {\"type\":\"merge \(number)\"}\n\n"
    }
    let whole = head + events.joined()
    for count in 0..<whole.utf8.count {
      try await withScript({ request in
        guard request.number > 0 else { return .sendAndClose(Self.prefix(whole, count)) }
        let next = request.headers["last-event-id"].flatMap { Int($0.dropFirst()) } ?? 0
        return .send(head + events[next...].joined())
      }) { server in
        let client = server.client(retries: RetryPolicy(attempts: 3, firstPause: .microseconds(10)))
        var stream = client.events().makeAsyncIterator()
        var changes: [MemeChange?] = []
        for _ in events { changes.append(try await stream.next()?.change) }
        let wanted = (1...3).map { MemeChange.other("merge \($0)") }
        if changes != wanted { Issue.record("after \(count) bytes: \(changes)") }
      }
    }
  }
}
