import Bytes
import Eventually
import Foundation
import HTTP
import Testing
import Wire

@testable import HTTPDaemon

/// Behavior that differs over TLS.
@Suite struct TLSTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// Responds with the number of body bytes, and at `/large` with more bytes than socket buffers hold.
  private func service() -> TestService {
    let large = Bytes([UInt8](repeating: 7, count: 20_000_000))
    return TestService { head in
      Admission(body: WholeBody(), bodyLimit: 1 << 20) { request in
        if head.target.raw == "/large" { return Response(.ok, "application/octet-stream", large) }
        guard case .bytes(let bytes) = request.body else { return .text("none") }
        return .text("\(bytes.count)")
      }
    }
  }

  private func withTLS(
    _ service: TestService, configure: (inout DaemonConfiguration) -> Void = { _ in },
    _ test: (Daemon) async throws -> Void
  ) async throws {
    let identity = try TestIdentity.load()
    try await withDaemon(
      service,
      configure: {
        $0.identity = identity
        configure(&$0)
      }, test)
  }

  /// Checks that another client is still served.
  private func expectAlive(_ daemon: Daemon) async throws {
    let client = try await WireClient.overTLS(port: daemon.boundPort)
    #expect(try await client.request(Self.get).text == "0")
  }

  @Test func `requests of every kind work on one connection`() async throws {
    let service = service()
    try await withTLS(service) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      #expect(try await client.request(Self.get).text == "0")
      let head = try await client.request("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(head["content-length"] == "1" && head.body.isEmpty)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 700000\r\n\r\n")
      await client.send([UInt8](repeating: 1, count: 700_000))
      #expect(try await client.response().text == "700000")
      await client.dribble(Self.get + Self.get)
      for _ in 0..<2 { #expect(try await client.response().text == "0") }
      let large = try await client.request("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(large.body.count == 20_000_000 && large.body.allSatisfy { $0 == 7 })
      #expect(try await service.records(6).allSatisfy { $0.outcome == .answered })
    }
  }

  @Test func `an invalid length is rejected once`() async throws {
    try await withTLS(service()) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\nhello")
      let everything = await client.everything()
      #expect(everything.hasPrefix("HTTP/1.1 400"))
      // libmicrohttpd 1.0 rejects it itself, with its own page.
      #expect(everything.hasSuffix(HeadLayout.isKnown ? "}" : "</html>"))
      #expect(everything.components(separatedBy: "HTTP/1.1").count == 2)
    }
  }

  @Test func `a rejection in the middle of a body goes through the TLS session`() async throws {
    try await withTLS(service()) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000000\r\n\r\n")
      await client.send([UInt8](repeating: 0, count: 2_200_000))
      let response = try await client.response()
      #expect(response.status == 413 && response.text.contains("\"content-too-large\""))
    }
  }

  @Test func `ambiguous framing is rejected`() async throws {
    try await withTLS(service()) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      let response = try await client.request("GET / HTTP/1.1\nHost: h\n\n")
      #expect(response.status == 400 && response.isClosing)
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `a client that does not speak TLS is closed, even if it is silent`() async throws {
    try await withTLS(service(), configure: { $0.deadlines.headSeconds = 1.5 }) { daemon in
      let plain = try WireClient(port: daemon.boundPort)
      await plain.send(Self.get)
      #expect(await !plain.everything().contains("HTTP/1.1"))
      let silent = try WireClient(port: daemon.boundPort)
      #expect(await silent.isClosedByServer())
      // The first bytes of a handshake.
      let stalled = try WireClient(port: daemon.boundPort)
      await stalled.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
      #expect(await stalled.isClosedByServer())
      #expect(daemon.statistics.cutConnections[.slowHead] == 2)
      // On a busy machine, a handshake may exceed this deadline.
      try await eventually("another client is served") {
        let client = try? await WireClient.overTLS(port: daemon.boundPort)
        return (try? await client?.request(Self.get))?.status == 200
      }
    }
  }

  @Test func `a slow head and a slow body are cut off`() async throws {
    let service = service()
    // The deadline includes the handshake, which takes a second on a busy machine.
    try await withTLS(service, configure: { $0.deadlines.headSeconds = 5 }) { daemon in
      let head = try await WireClient.overTLS(port: daemon.boundPort)
      await head.send("GET / HTTP/1.1\r\nHost:")
      #expect(await head.isClosedByServer())
      #expect(daemon.statistics.cutConnections == [.slowHead: 1])
    }
    try await withTLS(service, configure: { $0.deadlines.graceSeconds = 0.5 }) { daemon in
      let body = try await WireClient.overTLS(port: daemon.boundPort)
      await body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nxxx")
      #expect(await body.isClosedByServer())
      #expect(daemon.statistics.cutConnections == [.slowBody: 1])
      #expect(try await service.records(2).allSatisfy { $0.outcome == .gone && $0.status == nil })
    }
  }

  @Test func `a client that does not read its response is cut off`() async throws {
    let service = service()
    try await withTLS(
      service,
      configure: {
        ($0.deadlines.graceSeconds, $0.deadlines.minimumBytesPerSecond) = (0.3, 100_000_000)
      }
    ) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      await client.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
      let record = try #require(try await service.records(1).first)
      #expect(record.status == .ok && record.outcome == .gone)
      #expect(daemon.statistics.cutConnections == [.slowReader: 1])
      try await expectAlive(daemon)
    }
  }

  @Test(
    arguments: [
      "GET /half HTTP/1.1\r\nHost:",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf",
      "GET /large HTTP/1.1\r\nHost: h\r\n\r\n",
    ], [false, true])
  func `a client may disconnect in any state`(_ bytes: String, _ reset: Bool) async throws {
    let service = service()
    try await withTLS(service) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      await client.send(bytes)
      try await daemon.isServing(1)
      client.vanish(reset: reset)
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone)
      try await expectAlive(daemon)
    }
  }

  @Test func `the handler of a disconnected client is cancelled`() async throws {
    let gate = Gate()
    let service = TestService { _ in
      await gate.passUntilCanceled()
      return .text("to nobody")
    }
    try await withTLS(service) { daemon in
      let client = try await WireClient.overTLS(port: daemon.boundPort)
      await client.send(Self.get)
      try await gate.arrived(1)
      client.vanish()
      #expect(try #require(try await service.records(1).first).outcome == .gone)
    }
  }

  @Test func `requests that run when the daemon stops complete`() async throws {
    let gate = Gate()
    let service = TestService { request in
      if request.head.target.raw == "/wait" { await gate.pass() }
      return .text("done")
    }
    var configuration = DaemonConfiguration.patient
    configuration.identity = try TestIdentity.load()
    let daemon = Daemon(configuration, service: service)
    try daemon.start()
    let idle = try await WireClient.overTLS(port: daemon.boundPort)
    #expect(try await idle.request(Self.get).text == "done")
    let busy = try await WireClient.overTLS(port: daemon.boundPort)
    await busy.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
    try await gate.arrived(1)
    async let stopped: Void = daemon.stop(drainSeconds: 60)
    #expect(await idle.isClosedByServer())
    await gate.open()
    let response = try await busy.response()
    #expect(response.text == "done" && response.isClosing)
    await stopped
  }

  @Test func `a client over the connection limit is disconnected`() async throws {
    try await withTLS(service(), configure: { $0.maximumConnections = 1 }) { daemon in
      let inside = try await WireClient.overTLS(port: daemon.boundPort)
      await #expect(throws: WireClient.Failure.self) {
        try await WireClient.overTLS(port: daemon.boundPort)
      }
      #expect(try await inside.request(Self.get).text == "0")
      #expect(daemon.statistics.refusedConnections == 1)
    }
  }

  @Test func `a certificate and a matching key are required`() throws {
    func bytes(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url)) }
    let certificate = try bytes(TestIdentity.certificate)
    let key = try bytes(TestIdentity.key)
    let otherKey = try bytes(TestIdentity.otherKey)
    #expect(throws: TLSIdentityError.badCertificate) {
      try TLSIdentity(certificate: key, key: key)
    }
    #expect(throws: TLSIdentityError.badCertificate) { try TLSIdentity(certificate: [], key: key) }
    #expect(throws: TLSIdentityError.badKey) {
      try TLSIdentity(certificate: certificate, key: certificate)
    }
    #expect(throws: TLSIdentityError.mismatch) {
      try TLSIdentity(certificate: certificate, key: otherKey)
    }
  }
}
