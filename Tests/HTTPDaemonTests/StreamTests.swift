import Bytes
import Eventually
import HTTP
import HTTPDaemon
import Synchronization
import Testing
import Wire

/// Streaming responses.
@Suite struct StreamTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// Responds with a stream at `/`, and with a word elsewhere.
  private func service(
    _ stream: some BodyStream, after beginning: String = ""
  ) -> TestService {
    TestService { request in
      request.head.target.raw == "/" ? .stream(stream, after: beginning) : .text("whole")
    }
  }

  private func expectAlive(_ daemon: Daemon) async throws {
    let client = try WireClient(port: daemon.boundPort)
    #expect(try await client.request("GET /alive HTTP/1.1\r\nHost: h\r\n\r\n").text == "whole")
  }

  @Test func `each piece arrives when it is available, and then the end`() async throws {
    let stream = TestStream()
    let service = service(stream)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      // Before the first piece.
      let head = try await client.head()
      #expect(head.status == 200 && head["transfer-encoding"] == "chunked")
      #expect(head["content-length"] == nil && head["x-request-id"] != nil && !head.isClosing)
      for number in 1...20 {
        try await stream.isAsked(number)
        // Not before the previous piece was sent.
        #expect(stream.asked == number)
        stream.give("piece \(number)")
        #expect(try await client.chunk() == Array("piece \(number)".utf8))
      }
      #expect(daemon.statistics.openStreams == 1 && daemon.statistics.runningRequests == 1)
      #expect(service.records.isEmpty)
      stream.end()
      #expect(try await client.chunk() == nil)
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .answered && record.status == .ok)
      #expect(record.bodyBytes == (1...20).map { "piece \($0)".utf8.count }.reduce(0, +))
      #expect(daemon.statistics.openStreams == 0 && daemon.statistics.cutConnections.isEmpty)
      // The connection can be reused like after any other response.
      #expect(try await client.request("GET /next HTTP/1.1\r\nHost: h\r\n\r\n").text == "whole")
    }
  }

  @Test func `a response may begin with known bytes and end at once`() async throws {
    let stream = RepeatingStream(Bytes("x"), count: 0)
    try await withDaemon(service(stream, after: "known")) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      for round in 1...3 {
        await client.send(Self.get)
        #expect(try await client.head().status == 200)
        #expect(try await client.chunks() == Array("known".utf8))
        #expect(stream.asked == round)
      }
    }
  }

  @Test func `pieces larger than any buffer arrive whole`() async throws {
    let piece = Bytes((0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let stream = RepeatingStream(piece, count: 5) { number in
      if number % 2 == 0 { try? await Task.sleep(for: .milliseconds(2)) }
    }
    let service = service(stream)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      #expect(try await client.head().status == 200)
      let whole = piece.withUnsafeBytes { Array($0) }
      #expect(try await client.chunks() == (0..<5).flatMap { _ in whole })
      #expect(try await service.records(1).first?.bodyBytes == 5 * 700_001)
    }
  }

  @Test func `HEAD gets only the head and does not start the stream`() async throws {
    let stream = TestStream()
    let service = service(stream, after: "beginning")
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      let head = try await client.head()
      #expect(head.status == 200 && head["content-length"] == nil && head.isClosing)
      #expect(await client.isClosedByServer())
      let record = try #require(try await service.records(1).first)
      #expect(record.bodyBytes == 0 && record.outcome == .answered)
      #expect(stream.asked == 0 && daemon.statistics.openStreams == 0)
    }
  }

  @Test(arguments: ["", "Connection: keep-alive\r\n"])
  func `an HTTP/1.0 client reads until the connection closes`(_ field: String) async throws {
    let stream = TestStream()
    let service = service(stream, after: "first ")
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("GET / HTTP/1.0\r\n\(field)\r\n")
      let head = try await client.head()
      #expect(head["transfer-encoding"] == nil && head["content-length"] == nil)
      stream.give("second ")
      try await stream.isAsked(2)
      stream.give(String(repeating: "third", count: 10_000))
      stream.end()
      #expect(
        await client.everything() == "first second " + String(repeating: "third", count: 10_000))
      #expect(try await service.records(1).first?.outcome == .answered)
    }
  }

  @Test(arguments: [false, true])
  func `a client that disconnects while the stream is silent is noticed`(
    _ reset: Bool
  ) async throws {
    let stream = TestStream()
    let service = service(stream, after: "beginning")
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      _ = try await client.head()
      #expect(try await client.chunk() == Array("beginning".utf8))
      try await stream.isAsked(1)
      client.vanish(reset: reset)
      #expect(try await stream.isCancelled())
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone && record.status == .ok && record.bodyBytes == 9)
      #expect(daemon.statistics.openStreams == 0)
      try await expectAlive(daemon)
    }
  }

  @Test(arguments: [false, true])
  func `a client that disconnects while it receives is noticed`(_ reset: Bool) async throws {
    let piece = Bytes([UInt8](repeating: 7, count: 1_000_000))
    let stream = RepeatingStream(piece, count: .max)
    let service = service(stream)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      await client.skip(2_000_000)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone && record.bodyBytes >= 1_000_000)
      try await expectAlive(daemon)
    }
  }

  @Test func `a stream that ignores cancellation is released after its client left`() async throws {
    let gate = Gate()
    weak var weakStream: RepeatingStream?
    var stream: RepeatingStream? = RepeatingStream(Bytes("x"), count: 5) { _ in await gate.pass() }
    weakStream = stream
    let waiting = Mutex(stream)
    stream = nil
    let service = TestService { _ in
      let stream = waiting.withLock { $0.take() }
      return stream.map { .stream($0) } ?? .text("whole")
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      try await gate.arrived(1)
      client.vanish()
      #expect(try await service.records(1).first?.outcome == .gone)
      #expect(weakStream?.asked == 1)
      await gate.open()
      try await eventually("the stream is released") { weakStream == nil }
      try await expectAlive(daemon)
    }
  }

  @Test func `a client that only stops sending gets the end of the stream`() async throws {
    let stream = TestStream()
    let service = service(stream)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      client.finishSending()
      _ = try await client.head()
      #expect(try await client.chunk() == nil)
      #expect(try await stream.isCancelled())
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `a client that does not read is cut off, with few pieces produced`() async throws {
    let piece = Bytes([UInt8](repeating: 7, count: 1_000_000))
    let stream = RepeatingStream(piece, count: .max)
    let service = service(stream)
    try await withDaemon(
      service,
      configure: {
        ($0.deadlines.graceSeconds, $0.deadlines.minimumBytesPerSecond) = (0.5, 1_000_000)
      }
    ) { daemon in
      let stalled = try WireClient(port: daemon.boundPort)
      await stalled.send(Self.get)
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone && record.status == .ok)
      #expect(daemon.statistics.cutConnections == [.slowReader: 1])
      // The system buffers only a few pieces for a connection.
      #expect((1...20).contains(stream.asked))
      #expect(stream.asked * 1_000_000 >= record.bodyBytes)
      try await expectAlive(daemon)
      stalled.vanish()
    }
  }

  @Test func `a silent stream causes no timeout`() async throws {
    let stream = TestStream()
    let service = service(stream)
    try await withDaemon(
      service,
      configure: {
        ($0.deadlines.graceSeconds, $0.deadlines.keepAliveSeconds) = (0.3, 0.3)
        ($0.deadlines.requestSeconds, $0.deadlines.headSeconds) = (0.3, 30)
      }
    ) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      _ = try await client.head()
      try await Task.sleep(for: .seconds(2.5))
      stream.give("at last")
      #expect(try await client.chunk() == Array("at last".utf8))
      #expect(daemon.statistics.cutConnections.isEmpty)
    }
  }

  @Test func `streams count as connections`() async throws {
    let stream = TestStream()
    try await withDaemon(service(stream), configure: { $0.maximumConnections = 2 }) { daemon in
      let inside = try (0..<2).map { _ in try WireClient(port: daemon.boundPort) }
      for client in inside {
        await client.send(Self.get)
        #expect(try await client.head().status == 200)
      }
      let outside = try WireClient(port: daemon.boundPort)
      #expect(try await outside.response().status == 503)
      #expect(daemon.statistics.openStreams == 2 && daemon.statistics.refusedConnections == 1)
    }
  }
}
