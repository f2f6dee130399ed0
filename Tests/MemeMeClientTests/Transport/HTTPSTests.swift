#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  @testable import MemeMeClient

  /// Over TLS to a real server, whose certificate nobody vouches for but these tests.
  struct HTTPSTests {
    private func withLiveServer(_ body: (URL) async throws -> Void) async throws {
      try await withDataFolder { folder in
        let server = try await ServerProcess(
          data: folder,
          settings: [
            "MEMEME_TLS_CERT": TestIdentity.certificate.path,
            "MEMEME_TLS_KEY": TestIdentity.key.path,
          ])
        defer { server.send(signal: SIGKILL) }
        try await body(try #require(URL(string: "https://localhost:\(server.port)")))
      }
    }

    private func trusting(_ url: URL) -> MemeMeClient {
      var client = MemeMeClient(url, retries: .never)
      client.transport = CurlTransport(authorities: TestIdentity.certificate)
      return client
    }

    @Test func `a certificate that nobody vouches for is an error, and is not tried again`()
      async throws
    {
      try await withLiveServer { url in
        let error = await #expect(throws: MemeMeError.self) {
          try await MemeMeClient(url).checkHealth()
        }
        #expect(error == .connection(.serverCertificateUntrusted))
        #expect(error?.isPassing == false)
      }
    }

    @Test func `a certificate of another host is an error, whoever vouches for it`() async throws {
      try await withLiveServer { url in
        // libcurl asks nobody for names below `localhost`, which are this machine (RFC 6761 §6.3).
        let elsewhere = try #require(
          URL(string: "https://elsewhere.localhost:\(url.port ?? 0)"))
        let error = await #expect(throws: MemeMeError.self) {
          try await trusting(elsewhere).checkHealth()
        }
        #expect(error == .connection(.serverCertificateUntrusted))
      }
    }

    @Test func `what is sent and what comes goes through`() async throws {
      try await withLiveServer { url in
        let client = trusting(url)
        let published = try await client.publish(
          MemeDraft(.image(try Fixture.photo.picture), top: "so it begins"))
        let file = try await client.image(published.meme.id)
        #expect(file.mediaType == "image/jpeg" && file.data.count > 1000)
        let seen = try await client.meme(published.meme.id)
        #expect(seen.top == "so it begins")
      }
    }

    @Test func `in plain HTTP there is no answer`() async throws {
      try await withLiveServer { url in
        let plain = try #require(URL(string: "http://localhost:\(url.port ?? 0)"))
        #expect(
          await failure { try await MemeMeClient(plain, retries: .never).checkHealth() }
            == "connection")
      }
    }
  }
#endif
