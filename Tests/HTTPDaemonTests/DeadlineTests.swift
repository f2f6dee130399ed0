import Bytes
import Eventually
import HTTP
import HTTPDaemon
import Testing
import Wire

/// Slow clients, in every state in which the server waits for them.
@Suite struct DeadlineTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  static let upload = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"

  /// Responds with the number of body bytes, and at `/large` with more bytes than socket buffers hold.
  private func service() -> TestService {
    let large = Bytes([UInt8](repeating: 7, count: 30_000_000))
    return TestService { head in
      Admission(body: WholeBody(), bodyLimit: 1 << 20) { request in
        if head.target.raw == "/large" { return Response(.ok, "application/octet-stream", large) }
        guard case .bytes(let bytes) = request.body else { return .text("none") }
        return .text("\(bytes.count)")
      }
    }
  }

  private func expectTimeout(_ client: WireClient) async throws {
    let response = try await client.response()
    #expect(response.status == 408 && response.isClosing)
    #expect(response.text.contains("\"request-timeout\"") && response["x-request-id"] != nil)
    #expect(await client.isClosedByServer())
  }

  private func count(_ reason: CutReason, _ daemon: Daemon) -> Int {
    daemon.statistics.cutConnections[reason, default: 0]
  }

  @Test func `a head that comes byte by byte gets 408 after its deadline`() async throws {
    let service = service()
    try await withDaemon(service, configure: { $0.deadlines.headSeconds = 0.6 }) { daemon in
      let first = try WireClient(port: daemon.boundPort)
      await first.send("GET / HTTP/1.1\r\n")
      // Finished well before the deadline: a byte that arrives after the close could discard the response.
      await first.dribble("X: aaaaaaa", pauseMilliseconds: 20)
      try await expectTimeout(first)
      #expect(count(.slowHead, daemon) == 1)

      let second = try WireClient(port: daemon.boundPort)
      #expect(try await second.request(Self.get).text == "0")
      await second.send("GET / HTTP/1.1\r\n")
      await second.dribble("X: aaaaaaa", pauseMilliseconds: 20)
      try await expectTimeout(second)
      let records = try await service.records(3)
      #expect(records.map(\.status?.code) == [408, 200, 408])
      #expect(records.allSatisfy { $0.outcome == .answered })
    }
  }

  @Test func `without a full request line the connection closes without a response`() async throws {
    try await withDaemon(service(), configure: { $0.deadlines.headSeconds = 0.3 }) { daemon in
      let silent = try WireClient(port: daemon.boundPort)
      let half = try WireClient(port: daemon.boundPort)
      await half.dribble("GET / HTT", pauseMilliseconds: 10)
      #expect(await silent.isClosedByServer())
      #expect(await half.isClosedByServer())
      #expect(count(.slowHead, daemon) == 2)
    }
  }

  @Test func `an idle connection is closed after its deadline`() async throws {
    try await withDaemon(service(), configure: { $0.deadlines.keepAliveSeconds = 0.3 }) { daemon in
      let silent = try WireClient(port: daemon.boundPort)
      let half = try WireClient(port: daemon.boundPort)
      #expect(try await silent.request(Self.get).text == "0")
      #expect(try await half.request(Self.get).text == "0")
      await half.dribble("GET / HTT", pauseMilliseconds: 10)
      #expect(await silent.isClosedByServer())
      #expect(await half.isClosedByServer())
      #expect(count(.silent, daemon) == 2 && count(.slowHead, daemon) == 0)
    }
  }

  @Test func `a body below the minimum rate gets 408, however fast it began`() async throws {
    let service = service()
    try await withDaemon(service, configure: { $0.deadlines.graceSeconds = 0.8 }) { daemon in
      let slow = try WireClient(port: daemon.boundPort)
      await slow.send(Self.upload)
      await slow.dribble(String(repeating: "x", count: 10), pauseMilliseconds: 20)
      try await expectTimeout(slow)

      let stalled = try WireClient(port: daemon.boundPort)
      await stalled.send(Self.upload + String(repeating: "x", count: 90_000))
      try await expectTimeout(stalled)
      #expect(count(.slowBody, daemon) == 2)
      #expect(try await service.records(2).allSatisfy { $0.status?.code == 408 })
    }
  }

  @Test func `a body above the minimum rate may take any time`() async throws {
    try await withDaemon(
      service(),
      configure: {
        ($0.deadlines.graceSeconds, $0.deadlines.headSeconds, $0.deadlines.keepAliveSeconds) = (
          10, 4, 4
        )
      }
    ) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n")
      await client.dribble(
        String(repeating: "x", count: 10_000), bytes: 200, pauseMilliseconds: 100)
      #expect(try await client.response().text == "10000")
    }
  }

  @Test func `the client of a slow rejected body gets the rejection`() async throws {
    let service = service()
    try await withDaemon(service, configure: { $0.deadlines.graceSeconds = 0.3 }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\nxxx")
      let response = try await client.response()
      #expect(response.status == 413 && response.isClosing)
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `a client that does not read its response is cut off`() async throws {
    let service = service()
    try await withDaemon(
      service,
      configure: {
        ($0.deadlines.graceSeconds, $0.deadlines.minimumBytesPerSecond) = (0.3, 100_000_000)
      }
    ) { daemon in
      let stalled = try WireClient(port: daemon.boundPort)
      await stalled.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
      let record = try #require(try await service.records(1).first)
      #expect(record.status == .ok && record.outcome == .gone)
      #expect(count(.slowReader, daemon) == 1)
      // The rest of the response is not kept for it.
      #expect(await stalled.everything().utf8.count < 30_000_000)
    }
  }

  @Test func `a stalled response is cut off although its deadline has not passed`() async throws {
    let service = service()
    try await withDaemon(
      service,
      configure: {
        (
          $0.deadlines.graceSeconds, $0.deadlines.keepAliveSeconds,
          $0.deadlines.minimumBytesPerSecond
        ) = (1, 1, 1)
      }
    ) { daemon in
      let stalled = try WireClient(port: daemon.boundPort)
      await stalled.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone && count(.slowReader, daemon) == 1)
      stalled.vanish()
    }
  }

  @Test func `dozens of slow clients are cut off without an effect on a healthy one`()
    async throws
  {
    let service = service()
    try await withDaemon(
      service,
      configure: {
        ($0.deadlines.headSeconds, $0.deadlines.graceSeconds, $0.deadlines.keepAliveSeconds) = (
          1, 1, 20
        )
        $0.deadlines.minimumBytesPerSecond = 30_000_000
      }
    ) { daemon in
      let starts = [
        "", "GET / HT", "GET / HTTP/1.1\r\nHost", Self.upload + "xxx",
        "GET /large HTTP/1.1\r\nHost: h\r\n\r\n",
      ]
      var slow: [WireClient] = []
      for number in 0..<60 {
        let client = try WireClient(port: daemon.boundPort)
        await client.send(starts[number % starts.count])
        slow.append(client)
      }
      let healthy = try WireClient(port: daemon.boundPort)
      // Connections that wait to be accepted are not open yet.
      try await eventually("all are accepted") { daemon.statistics.acceptedConnections == 61 }
      while daemon.statistics.openConnections > 1 {
        #expect(try await healthy.request(Self.get).text == "0")
      }
      let statistics = daemon.statistics
      #expect(statistics.acceptedConnections == 61 && statistics.refusedConnections == 0)
      #expect(statistics.cutConnections == [.slowHead: 36, .slowBody: 12, .slowReader: 12])
      for client in slow { client.vanish() }
    }
  }
}
