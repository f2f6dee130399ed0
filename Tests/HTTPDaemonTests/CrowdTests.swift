import Foundation
import HTTP
import Testing
import Wire

@testable import HTTPDaemon

/// Many connections, of which one client must not use all.
struct CrowdTests {
  private func registry(_ change: (inout DaemonConfiguration) -> Void = { _ in })
    -> ConnectionRegistry
  {
    var configuration = DaemonConfiguration.patient
    change(&configuration)
    return ConnectionRegistry(
      configuration: configuration, service: TestService { _ in .text("") },
      ids: RequestIDSource(seed: 1))
  }

  private func admitted(_ registry: ConnectionRegistry, _ peers: [String]) -> Int {
    peers.count { registry.admitConnection(from: $0) }
  }

  @Test func `a network has up to 128 connections, and others have theirs`() {
    let registry = registry()
    let network = (0..<200).map { "2001:db8::\($0)" }
    #expect(admitted(registry, network) == 128)
    #expect(admitted(registry, (0..<200).map { _ in "192.0.2.7" }) == 128)
    #expect(admitted(registry, ["2001:db8:0:1::1", "192.0.2.8", "::ffff:192.0.2.8"]) == 3)
    for peer in network.prefix(3) { registry.disconnected(from: peer) }
    #expect(admitted(registry, network) == 3)
  }

  @Test(arguments: [(1, 30.0), (3, 30), (4, 2), (5, 2)])
  func `only reserved places shorten the time for a head`(_ limit: Int, _ seconds: Double) {
    let registry = registry {
      ($0.maximumConnections, $0.deadlines.headSeconds) = (limit, 30)
    }
    #expect(registry.headSeconds == 30)
    #expect(admitted(registry, (0..<limit).map { "192.0.2.\($0)" }) == limit)
    #expect(registry.headSeconds == seconds)
  }

  @Test func `the networks of a site share four times the limit`() {
    let registry = registry { $0.maximumConnectionsOfNetwork = 10 }
    let site = (0..<100).map { "2001:db8:1:\($0)::1" }
    #expect(admitted(registry, site) == 40)
    #expect(admitted(registry, ["2001:db8:2::1", "192.0.2.7"]) == 2)
    for peer in site.prefix(40) { registry.disconnected(from: peer) }
    #expect(admitted(registry, site) == 40)
  }

  @Test func `a network at its limit loses an idle connection to its next one`() {
    let registry = registry { $0.maximumConnectionsOfNetwork = 3 }
    let start = Moment.now
    let clients = ["192.0.2.9", "192.0.2.7", "192.0.2.7", "192.0.2.7"].map {
      Client(peer: $0, socket: nil, deadline: start.after(seconds: 10))
    }
    for client in clients {
      #expect(registry.admitConnection(from: client.peer))
      registry.connected(client)
    }
    clients[2].expect(.handling, until: start.after(seconds: 60))
    clients[3].expect(.idle, until: start.after(seconds: 60))
    #expect(registry.admitConnection(from: "192.0.2.7"))
    #expect(registry.admitConnection(from: "192.0.2.7"))
    #expect(clients.map(\.cutReason) == [nil, .displaced, nil, .displaced])
    #expect(!registry.admitConnection(from: "192.0.2.7"), "one is answered, the others end")
  }

  @Test func `a network of a site at its limit takes a connection of a neighbor`() {
    let registry = registry { $0.maximumConnectionsOfNetwork = 1 }
    let deadline = Moment.now.after(seconds: 10)
    let clients = (0..<4).map {
      Client(peer: "2001:db8:1:\($0)::1", socket: nil, deadline: deadline)
    }
    for client in clients {
      #expect(registry.admitConnection(from: client.peer))
      registry.connected(client)
    }
    #expect(registry.admitConnection(from: "2001:db8:1:9::1"))
    #expect(clients.count { $0.cutReason == .displaced } == 1)
  }

  @Test func `loopback and trusted proxies have no limit of their own`() {
    let registry = registry {
      $0.maximumConnections = 1000
      $0.trustedProxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap { $0 })
    }
    let peers = (0..<150).flatMap { _ in ["127.0.0.1", "::1", "10.1.2.3"] }
    #expect(admitted(registry, peers) == 450)
  }

  @Test func `taking one of the last places closes the longest idle connection`() async throws {
    let service = TestService { _ in .text("in") }
    // One thread notes the ends of responses in their order. Of two threads, the earlier one may note its end later.
    try await withDaemon(
      service,
      configure: {
        $0.maximumConnections = 8
        $0.threads = 1
      }
    ) { daemon in
      // Two of the eight places are reserved.
      var silent: [WireClient] = []
      for _ in 0..<6 {
        let client = try WireClient(port: daemon.boundPort)
        #expect(try await client.request("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "in")
        silent.append(client)
      }
      for (index, client) in silent.enumerated() {
        let next = try WireClient(port: daemon.boundPort)
        #expect(try await next.request("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "in")
        #expect(await client.isClosedByServer(), "\(index)")
        silent.append(next)
        guard index < 5 else { break }
      }
      #expect(daemon.statistics.refusedConnections == 0)
      #expect((daemon.statistics.cutConnections[.displaced] ?? 0) >= 6)
    }
  }

  @Test func `a client that sends nothing makes room, too`() async throws {
    try await withDaemon(
      TestService { _ in .text("in") }, configure: { $0.maximumConnections = 8 }
    ) { daemon in
      var silent: [WireClient] = []
      for _ in 0..<30 { silent.append(try WireClient(port: daemon.boundPort)) }
      let client = try WireClient(port: daemon.boundPort)
      #expect(try await client.request("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text == "in")
    }
  }
}
