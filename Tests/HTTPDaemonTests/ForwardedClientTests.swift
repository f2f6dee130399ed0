import HTTP
import HTTPDaemon
import Testing
import Wire

struct ForwardedClientTests {
  private func request(_ way: String) -> String {
    "GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(way)\r\nForwarded: for=198.51.100.99\r\n\r\n"
  }

  @Test func `each request of a proxy has its own client, also in the log`() async throws {
    let service = TestService { .text($0.head.peer) }
    try await withDaemon(
      service,
      configure: {
        $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.0/8")].compactMap { $0 })
      }
    ) { daemon in
      let proxy = try WireClient(port: daemon.boundPort)
      let peers = ["203.0.113.7", "2001:db8::1", "127.0.0.1"]
      for (way, peer) in zip(["198.51.100.1, 203.0.113.7", "2001:db8::1", "nonsense"], peers) {
        #expect(try await proxy.request(request(way)).text == peer)
      }
      #expect(try await service.records(3).map(\.peer) == peers)
    }
  }

  @Test func `without trusted proxies the peer is the client`() async throws {
    let service = TestService { .text($0.head.peer) }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      #expect(try await client.request(request("203.0.113.7")).text == "127.0.0.1")
      #expect(try await service.records(1).map(\.peer) == ["127.0.0.1"])
    }
  }
}
