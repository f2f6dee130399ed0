import Bytes
import Eventually
import Foundation
import HTTP
import HTTPDaemon
import Synchronization
import Testing
import Wire

/// Many streaming responses, also over TLS and when the daemon stops.
@Suite struct StreamEndTests {
  static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  private func connect(_ daemon: Daemon, overTLS: Bool) async throws -> WireClient {
    overTLS
      ? try await WireClient.overTLS(port: daemon.boundPort)
      : try WireClient(port: daemon.boundPort)
  }

  private func daemon(_ service: TestService, overTLS: Bool) throws -> Daemon {
    var configuration = DaemonConfiguration.patient
    if overTLS { configuration.identity = try TestIdentity.load() }
    let daemon = Daemon(configuration, service: service)
    try daemon.start()
    return daemon
  }

  @Test(arguments: [false, true])
  func `streams end at once when the daemon stops`(_ overTLS: Bool) async throws {
    let stream = TestStream()
    let service = TestService { _ in .stream(stream, after: "beginning") }
    let daemon = try daemon(service, overTLS: overTLS)
    var clients: [WireClient] = []
    for _ in 0..<5 {
      let client = try await connect(daemon, overTLS: overTLS)
      await client.send(Self.get)
      #expect(try await client.head().status == 200)
      #expect(try await client.chunk() == Array("beginning".utf8))
      clients.append(client)
    }
    try await stream.isAsked(5)
    // A drain that waited for a stream would outlast this test.
    await daemon.stop(drainSeconds: 3600)
    for client in clients {
      #expect(try await client.chunk() == nil)
      #expect(await client.isClosedByServer())
    }
    #expect(service.records.count == 5 && service.records.allSatisfy { $0.outcome == .answered })
    #expect(daemon.statistics.openStreams == 0)
  }

  @Test func `a stream that never suspends also ends`() async throws {
    // The next piece is always available at once. The pause limits the CPU load.
    let stream = RepeatingStream(Bytes("endless "), count: .max) { _ in usleep(1000) }
    let service = TestService { _ in .stream(stream) }
    let daemon = try daemon(service, overTLS: false)
    let client = try WireClient(port: daemon.boundPort)
    await client.send(Self.get)
    try await daemon.isServing(1)
    async let stopped: Void = daemon.stop(drainSeconds: 3600)
    #expect(await client.everything().hasSuffix("\r\n0\r\n\r\n"))
    await stopped
    #expect(service.records.first?.outcome == .answered)
  }

  @Test(arguments: [false, true])
  func `a stream works over TLS and ends with its client`(_ reset: Bool) async throws {
    let stream = TestStream()
    let service = TestService { _ in .stream(stream) }
    let identity = try TestIdentity.load()
    try await withDaemon(service, configure: { $0.identity = identity }) { daemon in
      let client = try await connect(daemon, overTLS: true)
      await client.send(Self.get)
      #expect(try await client.head()["transfer-encoding"] == "chunked")
      for number in 1...10 {
        try await stream.isAsked(number)
        stream.give("piece \(number)")
        #expect(try await client.chunk() == Array("piece \(number)".utf8))
      }
      try await stream.isAsked(11)
      client.vanish(reset: reset)
      #expect(try await stream.isCancelled())
      #expect(try await service.records(1).first?.outcome == .gone)
    }
  }

  @Test func `a client that does not read is cut off, also over TLS`() async throws {
    let stream = RepeatingStream(Bytes([UInt8](repeating: 7, count: 1_000_000)), count: .max)
    let service = TestService { _ in .stream(stream) }
    let identity = try TestIdentity.load()
    try await withDaemon(
      service,
      configure: {
        $0.identity = identity
        ($0.deadlines.graceSeconds, $0.deadlines.minimumBytesPerSecond) = (0.5, 1_000_000)
      }
    ) { daemon in
      let stalled = try await connect(daemon, overTLS: true)
      await stalled.send(Self.get)
      #expect(try await service.records(1).first?.outcome == .gone)
      #expect(daemon.statistics.cutConnections == [.slowReader: 1])
      stalled.vanish()
    }
  }

  /// A stream that suspends before some pieces, for different times.
  private static func stream(of count: Int) -> RepeatingStream {
    RepeatingStream(Bytes("0123456789"), count: count) { number in
      switch number % 4 {
      case 0: await Task.yield()
      case 1: try? await Task.sleep(for: .microseconds(number * 37 % 1500))
      default: break
      }
    }
  }

  @Test func `thousands of short streams are complete on reused connections`() async throws {
    let service = TestService { request in
      .stream(Self.stream(of: Int(request.head.target.segments.last ?? "") ?? 0))
    }
    try await withDaemon(service) { daemon in
      let port = daemon.boundPort
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            let client = try WireClient(port: port)
            for round in 0..<200 {
              let count = (number + round) % 9
              await client.send("GET /\(count) HTTP/1.1\r\nHost: h\r\n\r\n")
              #expect(try await client.head().status == 200)
              #expect(try await client.chunks().count == 10 * count)
            }
          }
        }
        try await group.waitForAll()
      }
      let records = try await service.records(2400)
      #expect(records.count == 2400 && records.allSatisfy { $0.outcome == .answered })
      #expect(daemon.statistics.openStreams == 0)
    }
  }

  @Test func `clients that come and go leave nothing behind`() async throws {
    let service = TestService { _ in .stream(Self.stream(of: 40)) }
    try await withDaemon(service, drainSeconds: 0.3) { daemon in
      let port = daemon.boundPort
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<150 {
          group.addTask {
            guard let client = try? WireClient(port: port) else { return }
            await client.send(Self.get)
            if number % 5 > 0 { await client.skip(number * 3) }
            client.vanish(reset: number % 2 == 0)
          }
        }
      }
      try await eventually("no stream is open") { daemon.statistics.openStreams == 0 }
      let client = try WireClient(port: port)
      await client.send(Self.get)
      _ = try await client.head()
      #expect(try await client.chunks().count == 400)
    }
    #expect((1...151).contains(service.records.count))
  }
}
