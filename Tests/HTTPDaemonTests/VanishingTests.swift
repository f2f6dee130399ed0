import Bytes
import Eventually
import Foundation
import HTTP
import HTTPDaemon
import Synchronization
import Testing
import Wire

@Suite struct VanishingTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// Checks that the server still responds and has completed every request.
  private func expectAlive(_ daemon: Daemon, _ service: TestService, records: Int) async throws {
    let client = try WireClient(port: daemon.boundPort)
    let response = try await client.request("GET /alive HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(response.text == "alive")
    #expect(try await service.records(records + 1).count == records + 1)
  }

  private func service(
    _ answer: @escaping @Sendable (Request) async -> Response
  ) -> TestService {
    TestService { head in
      head.target.raw == "/alive"
        ? Admission(body: NoBody(), bodyLimit: 0) { _ in .text("alive") }
        : Admission(body: WholeBody(), bodyLimit: 1 << 20, answer: answer)
    }
  }

  @Test(arguments: [false, true])
  func `a client may disconnect in the middle of a head`(_ reset: Bool) async throws {
    let service = service { _ in .text("") }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("GET /half HTTP/1.1\r\nHost:")
      try await daemon.isServing(1)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.status == nil && record.outcome == .gone && record.target == "/half")
      try await expectAlive(daemon, service, records: 1)
    }
  }

  @Test(arguments: [false, true])
  func `a client may disconnect in the middle of a body`(_ reset: Bool) async throws {
    let service = service { _ in .text("") }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf")
      try await daemon.isServing(1)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.status == nil && record.outcome == .gone && record.method == "POST")
      try await expectAlive(daemon, service, records: 1)
    }
  }

  /// Counts the bytes of a body and records how the body ends.
  private final class Listener: BodyReader {
    let heard: Heard
    private var count = 0
    init(_ heard: Heard) { self.heard = heard }
    func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
      count += piece.count
      if piece.contains(UInt8(ascii: "!")) { throw Problem(.malformedRequest) }
    }
    func finish() throws(Problem) -> RequestBody {
      heard.add("whole \(count)")
      return .none
    }
    func end() { heard.add("cut \(count)") }
    deinit { heard.add("gone") }
  }

  private final class Heard: Sendable {
    private let words = Mutex<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    /// Waits until the reader is released.
    func all() async throws -> [String] {
      try await eventually("the reader is released") { words.withLock { $0.contains("gone") } }
      return words.withLock(\.self)
    }
  }

  @Test(arguments: [
    ("Content-Length: 10\r\n\r\nabcd", "cut 4"), ("Content-Length: 10\r\n\r\n", "cut 0"),
    ("Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n5\r\nef", "cut 6"),
    ("Content-Length: 4\r\n\r\nabcd", "whole 4"), ("Content-Length: 10\r\n\r\nabc!", nil),
  ])
  func `a body reader is notified once if its body is cut, and otherwise not`(
    request: String, word: String?
  ) async throws {
    let heard = Heard()
    let service = TestService { _ in
      Admission(body: Listener(heard), bodyLimit: 100) { _ in .text("") }
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\n\(request)")
      try await eventually("the request runs or has ended") {
        daemon.statistics.runningRequests > 0 || !service.records.isEmpty
      }
      client.vanish()
      #expect(try await heard.all() == [word, "gone"].compactMap { $0 })
    }
  }

  @Test func `a body reader is notified if its body is too slow or the server stops`()
    async throws
  {
    let heard = Heard()
    let service = TestService { _ in
      Admission(body: Listener(heard), bodyLimit: 100) { _ in .text("") }
    }
    try await withDaemon(service, configure: { $0.deadlines.graceSeconds = 0.2 }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let answer = try await client.request(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab")
      #expect(answer.status == 408)
      #expect(try await heard.all() == ["cut 2", "gone"])
    }
    let last = Heard()
    let stopping = TestService { _ in
      Admission(body: Listener(last), bodyLimit: 100) { _ in .text("") }
    }
    var client: WireClient?
    try await withDaemon(stopping, drainSeconds: 0) { daemon in
      client = try WireClient(port: daemon.boundPort)
      _ = try await client?.request(
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
    }
    #expect(try await last.all() == ["cut 0", "gone"])
    client?.vanish()
  }

  @Test(arguments: [false, true])
  func `the handler of a disconnected client is cancelled`(_ reset: Bool) async throws {
    let gate = Gate()
    let service = service { _ in
      await gate.passUntilCanceled()
      return .text("to nobody")
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      try await gate.arrived(1)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone)
      try await expectAlive(daemon, service, records: 1)
    }
  }

  #if os(Linux)
    @Test func `the handler of a client that disconnected after further bytes is cancelled`()
      async throws
    {
      let gate = Gate()
      let service = service { _ in
        await gate.passUntilCanceled()
        return .text("too late")
      }
      try await withDaemon(service) { daemon in
        let client = try WireClient(port: daemon.boundPort)
        await client.send(Self.get)
        try await gate.arrived(1)
        // The end of a TLS session is such bytes too.
        await client.send("G")
        client.vanish()
        let record = try #require(try await service.records(1).first)
        #expect(record.outcome == .gone)
        try await expectAlive(daemon, service, records: 1)
      }
    }
  #endif

  @Test(arguments: [false, true])
  func `a client may disconnect while it receives its response`(_ reset: Bool) async throws {
    let body = Bytes([UInt8](repeating: 7, count: 20_000_000))
    let service = service { _ in Response(.ok, "application/octet-stream", body) }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      await client.skip(100_000)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.status == .ok && record.outcome == .gone)
      try await expectAlive(daemon, service, records: 1)
    }
  }

  @Test(arguments: [
    "GET / HT", "GET /half HTTP/1.1\r\nHost:",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf",
  ])
  func `an end of the stream with the last bytes is noticed`(_ bytes: String) async throws {
    let service = service { _ in .text("") }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(bytes)
      client.finishSending()
      #expect(await client.isClosedByServer())
      #expect(service.records.allSatisfy { $0.outcome == .gone })
    }
  }

  @Test func `a client that only stops sending still gets an immediate response`() async throws {
    let service = service { _ in .text("whole") }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(Self.get)
      client.finishSending()
      #expect(try await client.response().text == "whole")
    }
  }

  @Test func `clients that disconnect in any state leave nothing behind`() async throws {
    let service = service { request in
      try? await Task.sleep(for: .milliseconds(Int(request.head.id.text.utf8.first ?? 0) % 5))
      return .text(String(repeating: "x", count: 50_000))
    }
    try await withDaemon(service, drainSeconds: 0.3) { daemon in
      let port = daemon.boundPort
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<120 {
          group.addTask {
            guard let client = try? WireClient(port: port) else { return }
            let message =
              "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 40\r\n\r\n"
              + String(repeating: "y", count: 40)
            await client.send(String(message.prefix(30 + number)))
            if number % 3 == 0 { try? await Task.sleep(for: .milliseconds(number % 7)) }
            client.vanish(reset: number % 2 == 0)
          }
        }
      }
      let client = try WireClient(port: daemon.boundPort)
      #expect(try await client.request("GET /alive HTTP/1.1\r\nHost: h\r\n\r\n").text == "alive")
    }
    // Every request whose request line arrived is logged once, and none of them still runs.
    #expect((1...121).contains(service.records.count))
  }
}
