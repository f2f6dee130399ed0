import Bytes
import Eventually
import HTTP
import HTTPDaemon
import Testing
import Wire

@Suite struct DrainTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `requests that run when the daemon stops complete`() async throws {
    let gate = Gate()
    let service = TestService { request in
      await gate.pass()
      return .text("done \(request.head.target.raw)")
    }
    let daemon = Daemon(.patient, service: service)
    try daemon.start()
    let port = daemon.boundPort
    let clients = try (0..<10).map { _ in try WireClient(port: port) }
    for (number, client) in clients.enumerated() {
      await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
    }
    try await gate.arrived(10)
    async let stopped: Void = daemon.stop(drainSeconds: 60)
    // No new client is accepted.
    try await eventually("connections are refused") { (try? WireClient(port: port)) == nil }
    #expect(daemon.boundPort == nil)
    await gate.open()
    for (number, client) in clients.enumerated() {
      let response = try await client.response()
      #expect(response.text == "done /\(number)" && response.isClosing)
    }
    await stopped
    #expect(service.records.count == 10 && service.records.allSatisfy { $0.outcome == .answered })
  }

  @Test func `requests that exceed the drain time are canceled and get 503`() async throws {
    let gate = Gate()
    let service = TestService { _ in
      // Ignores cancellation.
      await gate.pass()
      return .text("too late")
    }
    let daemon = Daemon(.patient, service: service)
    try daemon.start()
    let clients = try (0..<5).map { _ in try WireClient(port: daemon.boundPort) }
    for client in clients { await client.send(Self.get) }
    try await gate.arrived(5)
    await daemon.stop(drainSeconds: 0.05)
    for client in clients {
      let response = try await client.response()
      #expect(response.status == 503 && response.text.contains("\"overloaded\""))
    }
    #expect(service.records.count == 5)
    await gate.open()
  }

  @Test func `a body in transit is still read`() async throws {
    let service = TestService { _ in
      Admission(body: WholeBody(), bodyLimit: 100) { request in
        guard case .bytes(let bytes) = request.body else { return .text("none") }
        return .text("\(bytes.count)")
      }
    }
    let daemon = Daemon(.patient, service: service)
    try daemon.start()
    let client = try WireClient(port: daemon.boundPort)
    #expect(
      try await client.request(
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
      ).status == 100)
    async let stopped: Void = daemon.stop(drainSeconds: 60)
    try await Task.sleep(for: .milliseconds(50))
    await client.send("four")
    let response = try await client.response()
    #expect(response.text == "4" && response.isClosing)
    await stopped
  }

  @Test func `stopping closes connections without a request at once`() async throws {
    let service = TestService { _ in .text("ok") }
    let daemon = Daemon(.patient, service: service)
    try daemon.start()
    let idle = try (0..<5).map { _ in try WireClient(port: daemon.boundPort) }
    for client in idle { #expect(try await client.request(Self.get).text == "ok") }
    // The server may read the end of the stream together with the bytes, and miss it.
    let half = try WireClient(port: daemon.boundPort)
    await half.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf")
    half.finishSending()
    // A drain that waited for one of them would outlast this test.
    await daemon.stop(drainSeconds: 3600)
    for client in idle { #expect(await client.isClosedByServer()) }
    #expect(service.records.filter { $0.outcome == .answered }.count == 5)
  }

  @Test func `stopping under load loses no response and announces the close`() async throws {
    let service = TestService { request in
      if request.head.id.text.utf8.first?.isMultiple(of: 2) == true { await Task.yield() }
      return .text("ok")
    }
    var received = 0
    for _ in 0..<3 {
      let daemon = Daemon(.patient, service: service)
      try daemon.start()
      let port = daemon.boundPort
      received += try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let client = try WireClient(port: port)
            for count in 1... {
              // Without a response, the request arrived after the daemon had stopped.
              guard let response = try? await client.request(Self.get) else { return count - 1 }
              #expect(response.status == 200)
              if response.isClosing { return count }
            }
            return 0
          }
        }
        // The load must be running when the daemon stops, however busy the machine is.
        let begun = service.records.count
        try await eventually("40 more requests are completed") {
          service.records.count >= begun + 40
        }
        await daemon.stop(drainSeconds: 120)
        return try await group.reduce(0, +)
      }
    }
    let answered = service.records.filter { $0.outcome == .answered }
    #expect(answered.count == received && received > 24)
    #expect(service.records.count - answered.count <= 24)
  }

  @Test func `a daemon that was stopped, or never started, stays stopped`() async throws {
    let daemon = Daemon(.patient, service: TestService { _ in .text("") })
    await daemon.stop(drainSeconds: 1)
    try daemon.start()
    #expect(throws: DaemonError.alreadyStarted) { try daemon.start() }
    await daemon.stop(drainSeconds: 1)
    await daemon.stop(drainSeconds: 1)
    #expect(throws: DaemonError.alreadyStarted) { try daemon.start() }
  }
}
