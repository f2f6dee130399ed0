#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  @testable import MemeMeClient

  /// TLS to a real server, whose certificate only these tests trust.
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

    @Test func `an untrusted certificate is an error that is not retried`() async throws {
      try await withLiveServer { url in
        let error = await #expect(throws: MemeMeError.self) {
          try await MemeMeClient(url).checkHealth()
        }
        #expect(error == .connection(.serverCertificateUntrusted))
        #expect(error?.isPassing == false)
      }
    }

    @Test func `a trusted certificate of another host is an error`() async throws {
      try await withLiveServer { url in
        // libcurl resolves names below `localhost` to this machine without DNS (RFC 6761 §6.3).
        let elsewhere = try #require(
          URL(string: "https://elsewhere.localhost:\(url.port ?? 0)"))
        let error = await #expect(throws: MemeMeError.self) {
          try await trusting(elsewhere).checkHealth()
        }
        #expect(error == .connection(.serverCertificateUntrusted))
      }
    }

    @Test func `uploads and downloads work`() async throws {
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

    @Test func `plain HTTP gets no response`() async throws {
      try await withLiveServer { url in
        let plain = try #require(URL(string: "http://localhost:\(url.port ?? 0)"))
        #expect(
          await failure { try await MemeMeClient(plain, retries: .never).checkHealth() }
            == "connection")
      }
    }
  }
#endif
