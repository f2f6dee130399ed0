import Eventually
import Foundation
import Support
import Testing
import Wire

/// The server process: signals, shutdown and what remains afterwards.
struct ProcessTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-process-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func form(_ caption: String) throws -> FormBody {
    FormBody([.file("image", try Fixture.photo.bytes), .field("top", caption)])
  }

  @Test(arguments: [SIGHUP, SIGUSR1, SIGUSR2])
  func `an unused signal is logged, and the server keeps running`(signal: Int32) async throws {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder)
      for count in 1...2 {
        server.send(signal: signal)
        try await eventually("the log has \(count) lines about the signal") {
          server.log.components(separatedBy: "ignoring a signal that has no effect").count > count
        }
      }
      try await server.get("/memes").expect(200)
      #expect(try await server.end(by: SIGTERM) == 0)
      #expect(server.log.contains("stopped"))
    }
  }

  @Test func `memes acknowledged with 201 survive kill -9`() async throws {
    try await withFolder { folder in
      var created: [String] = []
      for round in 1...3 {
        let server = try await ServerProcess(data: folder)
        for number in 1...3 {
          let answer = try await server.post(try form("\(round) \(number)")).expect(201)
          created.append(try #require(answer["location"]))
        }
        #expect(try await server.end(by: SIGKILL) == SIGKILL)
      }
      let server = try await ServerProcess(data: folder)
      let list = try await server.get("/memes").expect(200)
      let listed = list.json.items.elements.compactMap(\.id.text).map { "/memes/\($0)" }
      #expect(listed == created.reversed())
      for url in created {
        let meme = try await server.get(url).expect(200).json
        let image = try await server.get("\(url)/image").expect(200)
        #expect(image.response.body.count == meme.image.bytes.int)
      }
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `acknowledged deletions and restores survive kill -9`() async throws {
    try await withFolder { folder in
      var server = try await ServerProcess(data: folder)
      var memes: [(url: String, token: String)] = []
      for caption in ["a", "b", "c"] {
        let answer = try await server.post(try form(caption)).expect(201)
        memes.append(
          (try #require(answer["location"]), try #require(answer["meme-delete-token"])))
      }
      let (kept, deleted, restored) = (memes[0], memes[1], memes[2])
      try await server.delete(deleted.url, token: deleted.token).expect(204)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await server.get(deleted.url).expect(410, problem: "gone")
      try await server.delete(restored.url, token: restored.token).expect(204)
      let answer = try await server.restore(restored.url, token: restored.token).expect(200)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)

      server = try await ServerProcess(data: folder)
      try await server.get("\(deleted.url)/image").expect(410, problem: "gone")
      #expect(try await server.get(restored.url).expect(200).json.altText == answer.json.altText)
      let list = try await server.get("/memes").expect(200)
      #expect(
        list.json.items.elements.compactMap(\.id.text).map { "/memes/\($0)" }
          == [restored.url, kept.url])
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  /// Sends an upload's headers and waits until the server asks for the body.
  private func beginUpload(_ server: ServerProcess, _ form: FormBody) async throws -> WireClient {
    let client = try WireClient(port: UInt16(server.port))
    let interim = try await client.request(
      """
      POST /memes HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: \(FormBody.contentType)\r
      Content-Length: \(form.bytes.count)\r\n\r\n
      """)
    #expect(interim.status == 100)
    return client
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `an upload in progress at a graceful stop is stored, and the exit code is 0`(
    signal: Int32
  ) async throws {
    try await withFolder { folder in
      let form = try form("last")
      let server = try await ServerProcess(data: folder)
      let idle = try WireClient(port: UInt16(server.port))
      #expect(try await idle.request("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
      let client = try await beginUpload(server, form)
      await client.send(Array(form.bytes.prefix(1000)))
      server.send(signal: signal)
      try await server.isClosing()
      #expect(await idle.isClosedByServer())
      await client.send(Array(form.bytes.dropFirst(1000)))
      let answer = Answer(try await client.response()).expect(201)
      #expect(answer.response.isClosing)
      #expect(try await server.end(by: 0) == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "mememe.db-wal").path))

      let again = try await ServerProcess(data: folder)
      let url = try #require(answer["location"])
      #expect(try await again.get(url).expect(200).json.top.text == "last")
      #expect(try await again.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a second signal ends the process at once`() async throws {
    try await withFolder { folder in
      let form = try form("never")
      // Only the second signal ends this drain within the test.
      let server = try await ServerProcess(
        data: folder, settings: ["MEMEME_DRAIN_TIMEOUT": "600"])
      let client = try await beginUpload(server, form)
      server.send(signal: SIGTERM)
      try await server.isClosing()
      #expect(try await server.end(by: SIGINT) == 128 + SIGINT)
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `requests that exceed the drain timeout are cut, and the exit code is 0`()
    async throws
  {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder, settings: ["MEMEME_DRAIN_TIMEOUT": "0"])
      let client = try await beginUpload(server, try form("never"))
      #expect(try await server.end(by: SIGTERM) == 0)
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `with a certificate and key the server uses HTTPS`() async throws {
    try await withFolder { folder in
      let tls = [
        "MEMEME_TLS_CERT": TestIdentity.certificate.path, "MEMEME_TLS_KEY": TestIdentity.key.path,
      ]
      let server = try await ServerProcess(data: folder, settings: tls)
      let check = ["healthcheck", "--port", "\(server.port)"]
      #expect(try await ServerProcess.run(check, environment: tls).code == 0)
      // Plain HTTP gets no response.
      #expect(try await ServerProcess.run(check).code == 1)
      let client = try await WireClient.overTLS(port: UInt16(server.port))
      let form = try form("secret")
      await client.send(
        """
        POST /memes HTTP/1.1\r\nHost: x\r\nContent-Type: \(FormBody.contentType)\r
        Content-Length: \(form.bytes.count)\r\n\r\n
        """)
      await client.send(form.bytes)
      let meme = Answer(try await client.response()).expect(201).json
      let image = try await client.request(
        "GET \(meme.image.url.text ?? "") HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(image.status == 200 && image.body.count == meme.image.bytes.int)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `an unusable certificate or key fails the start with its setting`() async throws {
    try await withFolder { folder in
      let (certificate, key) = (TestIdentity.certificate.path, TestIdentity.key.path)
      for (certificate, key, culprit) in [
        (folder.path + "/none.pem", key, "MEMEME_TLS_CERT"),
        (certificate, folder.path + "/none.pem", "MEMEME_TLS_KEY"),
        (key, key, "MEMEME_TLS_CERT"), (certificate, certificate, "MEMEME_TLS_KEY"),
        (certificate, TestIdentity.otherKey.path, "MEMEME_TLS_KEY"),
      ] {
        let (code, output) = try await ServerProcess.run([
          "serve", "--port", "0", "--data", folder.path, "--tls-cert", certificate, "--tls-key",
          key,
        ])
        #expect(code == 2 && output.contains("mememe: \(culprit): "))
        #expect(!output.contains("PRIVATE KEY"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "mememe.db").path))
      }
    }
  }

  @Test func `the first start creates an admin token that only the owner can read`() async throws {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder)
      let file = folder.appending(path: "admin-token").path
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let token = try String(contentsOfFile: file, encoding: .utf8)
      #expect(token.trimmingCharacters(in: .newlines).count == 43)
      let database = try FileManager.default.attributesOfItem(
        atPath: folder.appending(path: "mememe.db").path)
      #expect(database[.posixPermissions] as? Int == 0o600)
      _ = try await server.end(by: SIGTERM)
      let again = try await ServerProcess(data: folder)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == token)
      _ = try await again.end(by: SIGTERM)
    }
  }

  @Test func `a folder in use is rejected by a second server and by migrate`() async throws {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder)
      for command in ["serve", "migrate"] {
        let (code, output) = try await ServerProcess.run(
          [command, "--data", folder.path, "--port", "0"])
        #expect(code == 1)
        #expect(output.contains("another server"))
      }
      try await server.get("/healthz").expect(200)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `healthcheck succeeds only if a server responds`() async throws {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder)
      let check = ["healthcheck", "--port", "\(server.port)"]
      #expect(try await ServerProcess.run(check).code == 0)
      #expect(
        try await ServerProcess.run(check, environment: ["MEMEME_HOST": "0.0.0.0"]).code == 0)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
    // A port that is bound without a listener. Another process may use the server's own port by now.
    let taken = socket(AF_INET, tcp, 0)
    defer { close(taken) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(taken, $0, size) == 0 && getsockname(taken, $0, &size) == 0
      }
    }
    try #require(isBound)
    let port = "\(UInt16(bigEndian: address.sin_port))"
    #expect(try await ServerProcess.run(["healthcheck", "--port", port]).code == 1)
  }

  #if os(Linux)
    private var tcp: Int32 { Int32(SOCK_STREAM.rawValue) }
  #else
    private var tcp: Int32 { SOCK_STREAM }
  #endif

  @Test(arguments: [
    ([], "no command given"), (["dance"], "unknown command: dance"),
    (["help", "dance"], "unknown command: dance"),
    (["serve", "--prot", "1"], "--prot"), (["serve", "--port", "x"], "--port"),
  ])
  func `an invalid command line exits with 2 and the reason`(
    arguments: [String], reason: String
  ) async throws {
    let (code, output) = try await ServerProcess.run(arguments)
    #expect(code == 2)
    #expect(output.contains(reason))
  }

  @Test func `an unknown variable fails the start and is named`() async throws {
    let (code, output) = try await ServerProcess.run(["serve"], environment: ["MEMEME_PROT": "1"])
    #expect(code == 2)
    #expect(output.contains("MEMEME_PROT"))
  }

  @Test func `migrate, version and help work`() async throws {
    try await withFolder { folder in
      let mistyped = try await ServerProcess.run(["migrate", "--data", folder.path])
      #expect(mistyped.code == 1 && mistyped.output.contains("no mememe.db in"), "\(mistyped)")
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let (code, output) = try await ServerProcess.run(["migrate", "--data", folder.path])
      #expect(code == 0)
      let migrations = URL(filePath: #filePath).appending(path: "../../../migrations").standardized
      let count = try FileManager.default.contentsOfDirectory(atPath: migrations.path)
        .count { $0.hasSuffix(".sql") }
      #expect(output.contains("is at version \(count)."))
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "mememe.db").path))
    }
    #expect(try await ServerProcess.run(["version"]).output.hasPrefix("mememe 0."))
    #expect(try await ServerProcess.run(["help"]).output.contains("MEMEME_RENDER_QUEUE"))
  }

  @Test(arguments: [
    (["--help"], "usage: mememe <"), (["-h"], "usage: mememe <"),
    (["help", "serve"], "usage: mememe <"), (["serve", "--help"], "usage: mememe <"),
    (["help", "--help"], "usage: mememe <"), (["import", "--help"], "usage: mememe import "),
    (["user", "create", "-h"], "usage: mememe user "),
    (["help", "restore"], "usage: mememe restore "), (["--version"], "mememe 0."),
  ])
  func `the usual flags print help or the version`(
    arguments: [String], beginning: String
  ) async throws {
    let (code, output) = try await ServerProcess.run(arguments)
    #expect(code == 0 && output.hasPrefix(beginning) && output.hasSuffix("\n"), "\(output)")
  }

  @Test func `a foreign database file is rejected and stays unchanged`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "mememe.db")
      let garbage = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try garbage.write(to: file)
      let (code, output) = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.path])
      #expect(code == 1)
      #expect(output.contains("mememe: "))
      #expect(try Data(contentsOf: file) == garbage)
    }
  }
}
