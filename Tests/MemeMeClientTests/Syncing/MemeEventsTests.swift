import Eventually
import Foundation
import MemeMeClient
import Testing
import Wire

/// The event stream, from a server that interrupts it.
struct MemeEventsTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

  private static func event(_ number: Int) -> String {
    let id = "00000000-0000-4000-8000-\(100_000_000_000 + number)"
    return
      "id: c\(number)\ndata: {\"type\":\"delete\",\"id\":\"\(id)\",\"deletedAt\":\"2026-11-22T08:05:00.123Z\"}\n\n"
  }

  @Test func `an interrupted stream resumes after the last complete event`() async throws {
    try await withScript({ request in
      switch request.number {
      case 0:
        return .sendAndClose(
          "\(Self.head): hello\n\n\(Self.event(1))\(Self.event(2))\(Self.event(3).dropLast(8))")
      case 1: return .close
      case 2: return .sendAndClose("\(Self.head)\(Self.event(3))\(Self.event(4))")
      default: return .silence
      }
    }) { server in
      let client = server.client(retries: RetryPolicy(attempts: 3, firstPause: .milliseconds(5)))
      var cursors: [String] = []
      for try await event in client.events(since: Cursor("c0")) {
        cursors.append(event.cursor.text)
        guard case .delete = event.change else { Issue.record("\(event)"); break }
        if cursors.count == 4 { break }
      }
      #expect(cursors == ["c1", "c2", "c3", "c4"])
      #expect(server.requests.map { $0.headers["last-event-id"] } == ["c0", "c2", "c2"])
      #expect(server.requests.map(\.target) == Array(repeating: "/memes/events", count: 3))
      #expect(server.requests.first?.headers["accept"] == "text/event-stream")
    }
  }

  @Test func `an unknown change of a newer server is passed on`() async throws {
    try await withScript({ _ in
      .sendAndClose("\(Self.head)id: c1\ndata: {\"type\":\"merge\",\"with\":[1]}\n\n")
    }) { server in
      var events = server.client().events().makeAsyncIterator()
      let event = try await events.next()
      #expect(event == MemeEvent(change: .other("merge"), cursor: Cursor("c1")))
    }
  }

  @Test func `an expired cursor ends the stream`() async throws {
    try await withScript({ _ in .send(ScriptedServer.problem(410, "cursor-expired")) }) { server in
      #expect(
        await failure { for try await _ in server.client().events(since: Cursor("c0")) {} }
          == "cursor-expired")
    }
  }

  @Test func `another content type is not parsed as a stream`() async throws {
    try await withScript({ _ in .send(ScriptedServer.answer("200 OK", "<p>", type: "text/html")) })
    {
      server in
      #expect(await failure { for try await _ in server.client().events() {} } == "unexpected 200")
    }
  }

  @Test func `a slow reader makes the server wait and misses nothing`() async throws {
    let comment = ": \(String(repeating: "x", count: 4000))\n"
    let events = (1...2500).map { comment + Self.event($0) }
    try await withScript({ request in
      let next = request.headers["last-event-id"].flatMap { Int($0.dropFirst()) } ?? 0
      guard next < events.count else { return .silence }
      return .sendAndClose(Self.head + events[next...].joined())
    }) { server in
      let client = server.client(retries: RetryPolicy(attempts: 3, firstPause: .milliseconds(5)))
      var count = 0
      for try await event in client.events() {
        count += 1
        if event.cursor.text != "c\(count)" { Issue.record("\(event.cursor) is not \(count)") }
        if count == 1 { try await Task.sleep(for: .seconds(1)) }
        if count == events.count { break }
      }
      #expect(count == events.count)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a canceled loop ends, and so does its connection`() async throws {
    try await withScript({ _ in .send(Self.head + Self.event(1)) }) { server in
      let reading = Task {
        var count = 0
        for try await _ in server.client().events() { count += 1 }
        return count
      }
      try await eventually("the request has come") { !server.requests.isEmpty }
      try await Task.sleep(for: .milliseconds(50))
      reading.cancel()
      #expect(await failure { _ = try await reading.value } == "cancelled")
    }
  }
}
