import Bytes
import Eventually
import Foundation
import HTTP
import HTTPDaemon
import Testing
import Wire

@Suite struct ExchangeTests {
  static let get = "GET /a%2Fb?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test func `a request reaches the service as sent, and its response the client`() async throws {
    let service = TestService { request in
      #expect(request.head.target.segments == ["a/b"])
      #expect(request.head.peer == "127.0.0.1")
      return .text("hello \(request.head.id.text)")
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request(
        "GET /a%2Fb?x=1 HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine-1234\r\n\r\n")
      #expect(response.status == 200)
      #expect(response.text == "hello mine-1234")
      #expect(response["content-type"] == "text/plain")
      #expect(response["date"] != nil)
      let record = try #require(try await service.records(1).first)
      #expect(record.id.text == "mine-1234" && record.method == "GET" && record.status?.code == 200)
      #expect(record.target == "/a%2Fb?x=1" && record.outcome == .answered)
      #expect(record.bodyBytes == "hello mine-1234".utf8.count && record.seconds > 0)
    }
  }

  @Test func `HEAD has the headers of GET and no body`() async throws {
    try await withDaemon(TestService { _ in .text("hello") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let head = try await client.request("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(head["content-length"] == "5" && head.body.isEmpty)
      let get = try await client.request(Self.get)
      #expect(get.text == "hello")
    }
  }

  @Test(arguments: [204, 304])
  func `a status that forbids a body has none`(_ code: Int) async throws {
    let service = TestService { _ in Response(Status(code), body: Bytes("not for the wire")) }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      for _ in 0..<2 { #expect(try await client.request(Self.get).status == code) }
    }
  }

  @Test func `a reused response has the id of each request exactly once`() async throws {
    let picture = Response(
      .ok, headers: Headers([(.contentType, "image/jpeg"), (.etag, "\"1\"")]),
      body: Bytes([UInt8](repeating: 7, count: 40_000))
    ).reusable
    let service = TestService { _ in Admission(answering: picture, route: nil) }
    try await withDaemon(service) { daemon in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let client = try WireClient(port: daemon.boundPort)
            for round in 0..<40 {
              // The last request of each client closes its connection. Only its own response says so.
              let last = round == 39 ? "Connection: close\r\n" : ""
              let method = round % 7 == 3 ? "HEAD" : "GET"
              let answer = try await client.request(
                "\(method) / HTTP/1.1\r\nHost: h\r\nX-Request-Id: client-\(number)-\(round)\r\n\(last)\r\n"
              )
              #expect(
                answer.headers.filter { $0.name == "x-request-id" }.map(\.value) == [
                  "client-\(number)-\(round)"
                ])
              #expect(answer["etag"] == "\"1\"" && answer["content-length"] == "40000")
              #expect(answer.isClosing == !last.isEmpty)
              #expect(answer.body.count == (method == "GET" ? 40_000 : 0))
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a connection is kept, and pipelined responses come in order`() async throws {
    let service = TestService { request in
      // Some handlers suspend.
      if request.head.target.segments.last?.hasSuffix("1") == true {
        try? await Task.sleep(for: .milliseconds(3))
      }
      return .text(request.head.target.segments.joined())
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send((0..<40).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
      for number in 0..<40 { #expect(try await client.response().text == "\(number)") }
      #expect(try await service.records(40).count == 40)
    }
  }

  @Test func `an HTTP/1.0 connection is closed unless the client asks to keep it`() async throws {
    try await withDaemon(TestService { _ in .text("old") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try await client.response().text == "old")
      await client.send("GET / HTTP/1.0\r\n\r\n")
      #expect(try await client.response().text == "old")
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `handlers of many clients wait at the same time`() async throws {
    let gate = Gate()
    let service = TestService { request in
      await gate.pass()
      return .text(request.head.target.raw)
    }
    try await withDaemon(service) { daemon in
      let clients = try (0..<30).map { _ in try WireClient(port: daemon.boundPort) }
      for (number, client) in clients.enumerated() {
        await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
      }
      try await gate.arrived(30)
      #expect(service.records.isEmpty)
      await gate.open()
      for (number, client) in clients.enumerated() {
        #expect(try await client.response().text == "/\(number)")
      }
    }
  }

  @Test func `a handler over its deadline is canceled, and its client gets 503`() async throws {
    let gate = Gate()
    let service = TestService { _ in
      await gate.passUntilCanceled()
      return .text("too late")
    }
    try await withDaemon(service, configure: { $0.deadlines.requestSeconds = 0.2 }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request(
        "GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://a.example\r\n\r\n")
      #expect(response.status == 503 && response.text.contains("\"overloaded\""))
      #expect(response["retry-after"] != nil)
      #expect(response["access-control-allow-origin"] == "http://a.example")
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `a long-running handler has no deadline`() async throws {
    let gate = Gate()
    let service = TestService { _ in
      Admission(body: NoBody(), bodyLimit: 0, isLongRunning: true) { _ in
        await gate.pass()
        return .text(Task.isCancelled ? "cancelled" : "in time")
      }
    }
    try await withDaemon(service, configure: { $0.deadlines.requestSeconds = 0.1 }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      async let response = client.request(Self.get)
      try await gate.arrived(1)
      // Long enough for several inspections of the deadlines.
      try await Task.sleep(for: .seconds(1))
      await gate.open()
      #expect(try await response.text == "in time")
    }
  }

  @Test func `a long-running handler ends with its client and with the server`() async throws {
    let (gate, cancelled) = (Gate(), Gate())
    let service = TestService { _ in
      Admission(body: NoBody(), bodyLimit: 0, isLongRunning: true) { _ in
        await withTaskCancellationHandler {
          await gate.pass()
        } onCancel: {
          Task { await cancelled.pass() }
        }
        return .text("too late")
      }
    }
    var staying: WireClient?
    try await withDaemon(service, drainSeconds: 0.1) { daemon in
      let leaving = try WireClient(port: daemon.boundPort)
      await leaving.send(Self.get)
      try await gate.arrived(1)
      leaving.vanish()
      try await cancelled.arrived(1)
      #expect(await cancelled.arrivals == 1)
      staying = try WireClient(port: daemon.boundPort)
      await staying?.send(Self.get)
      try await gate.arrived(2)
    }
    #expect(try await staying?.response().status == 503)
    try await cancelled.arrived(2)
    #expect(await cancelled.arrivals == 2)
    await gate.open()
    await cancelled.open()
  }

  @Test func `a large response arrives whole`() async throws {
    let body = Bytes((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let service = TestService { _ in Response(.ok, "application/octet-stream", body) }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      for _ in 0..<2 { #expect(try await Bytes(client.request(Self.get).body) == body) }
    }
  }

  @Test func `a client over the connection limit gets 503`() async throws {
    try await withDaemon(TestService { _ in .text("in") }, configure: { $0.maximumConnections = 2 })
    {
      daemon in
      let inside = try (0..<2).map { _ in try WireClient(port: daemon.boundPort) }
      for client in inside { #expect(try await client.request(Self.get).status == 200) }
      let outside = try WireClient(port: daemon.boundPort)
      #expect(try await outside.response().status == 503)
      #expect(await outside.isClosedByServer())
      // A request ends when its last byte was handed to the socket. Its client may read that byte earlier.
      try await eventually("no request runs") { daemon.statistics.runningRequests == 0 }
      let statistics = daemon.statistics
      #expect(statistics.openConnections == 2 && statistics.acceptedConnections == 2)
      #expect(statistics.refusedConnections == 1)
    }
  }

  @Test func `a start error states its reason`() async throws {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let port = try #require(daemon.boundPort)
      let second = Daemon(
        DaemonConfiguration(port: port), service: TestService { _ in .text("") })
      #expect(throws: DaemonError.cannotListen(host: "127.0.0.1", port: port, errno: EADDRINUSE)) {
        try second.start()
      }
      let lost = Daemon(
        DaemonConfiguration(host: "no such host"), service: TestService { _ in .text("") })
      #expect(throws: DaemonError.unknownHost("no such host")) { try lost.start() }
      // This text is printed on standard error.
      let taken = DaemonError.cannotListen(host: "127.0.0.1", port: port, errno: EADDRINUSE)
      #expect("\(taken)".hasSuffix("on 127.0.0.1 port \(port): Address already in use"))
    }
  }

  @Test(arguments: ["localhost", "127.0.0.1", "0.0.0.0"])
  func `it listens on names and addresses`(_ host: String) async throws {
    let service = TestService { _ in .text("here") }
    try await withDaemon(service, configure: { $0.host = host }) { daemon in
      #expect(daemon.boundPort != nil)
    }
    #expect(service.records.isEmpty)
  }
}
