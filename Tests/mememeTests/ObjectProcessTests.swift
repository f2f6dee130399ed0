import Eventually
import Foundation
import Objects
import Support
import Synchronization
import Testing
import Wire

/// Processes that keep pictures in an object store: `rclone serve s3`, behind a proxy that can be down.
@Suite(.enabled(if: RcloneServer.isWanted))
struct ObjectProcessTests {
  private struct Installation {
    let settings: [String: String]
    let database: SharedDatabase
    /// Between the servers and the store.
    let proxy: FaultProxy

    func folder(_ name: String) -> URL { database.folder.appending(path: name) }
  }

  private func withObjects(_ body: (Installation) async throws -> Void) async throws {
    let store = try RcloneServer.shared()
    let proxy = try FaultProxy(to: store.port)
    try await withSharedDatabase { database in
      let account = database.folder.appending(path: "account")
      try Data("tester\na/secret+of=tests\n".utf8).write(to: account)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: account.path)
      let settings = [
        "MEMEME_OBJECTS": store.address(of: try store.makeBucket().name, port: proxy.port),
        "MEMEME_OBJECTS_KEY_FILE": account.path, "MEMEME_MEMORY_CACHE_BYTES": "0",
      ]
      try await body(
        Installation(
          settings: database.settings.merging(settings) { $1 }, database: database, proxy: proxy))
    }
    proxy.stop()
  }

  private func form(_ top: String) throws -> FormBody {
    FormBody([.file("image", try Fixture.photo.bytes), .field("top", top)])
  }

  @Test func `servers share a bucket, and work without it as far as they can`() async throws {
    try await withObjects { installation in
      let (settings, proxy) = (installation.settings, installation.proxy)
      let a = try await ServerProcess(data: installation.folder("a"), settings: settings)
      let b = try await ServerProcess(data: installation.folder("b"), settings: settings)
      let ready = try await b.readiness(becoming: 200)
      #expect(ready.json.checks.objects.text == "ok")
      let made = try await a.post(try form("here")).expect(201)
      let (url, own) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      let image = try await b.get("\(url)/image").expect(200)
      #expect(image.response.body.count > 1000)
      #expect(try await b.get("\(url)/original", token: own).response.body == Fixture.photo.bytes)
      // It is drawn from the original.
      try await b.patch(url, #"{"top":"there"}"#, token: own).expect(200)

      proxy.choose { _ in .drop }
      let refused = try await a.post(try form("later")).expect(503, problem: "storage-busy")
      #expect(refused["retry-after"] == "2")
      try await b.get("\(url)/image").expect(503, problem: "storage-busy")
      let unready = try await b.readiness(becoming: 503)
      #expect(unready.json.detail.text == "Failed checks: objects.")
      // Rows do not need the store.
      try await b.get(url).expect(200)
      try await b.get("/memes").expect(200)

      proxy.choose { _ in .none }
      _ = try await b.readiness(becoming: 200)
      try await b.get("\(url)/image").expect(200)
      let later = try await b.post(try form("later")).expect(201)
      let other = try #require(later["location"])
      try await a.get("\(other)/image").expect(200)
      #expect(try await a.get("/memes").json.items.elements.count == 2)

      // A response that ends in the middle is asked for again.
      let isFirst = Mutex(true)
      proxy.choose { _ in
        isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst ? .cutAnswer(0.5) : .none
        }
      }
      try await a.get("\(other)/image").expect(200)
      proxy.choose { _ in .none }
      for server in [a, b] { #expect(try await server.end(by: SIGTERM) == 0) }
    }
  }

  /// The photo, made longer by comments within the file.
  private func largePhoto() throws -> [UInt8] {
    let photo = try Fixture.photo.bytes
    let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
    return Array(photo.prefix(2)) + (0..<5).flatMap { _ in comment } + Array(photo.dropFirst(2))
  }

  @Test func `the store is asked only for bytes that a client gets`() async throws {
    try await withObjects { installation in
      let server = try await ServerProcess(
        data: installation.folder("a"), settings: installation.settings)
      let photo = try largePhoto()
      let made = try await server.post(FormBody([.file("image", photo), .field("top", "here")]))
        .expect(201)
      let (url, own) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      let requests = Mutex<[String]>([])
      installation.proxy.choose { request in
        requests.withLock { $0.append(request) }
        return .none
      }
      func isAsked(_ count: Int) -> Bool {
        requests.withLock { requests in
          defer { requests = [] }
          return requests.count { $0.hasPrefix("GET /") && $0.contains("Prefix_1/2") } == count
            && requests.count == count
        }
      }
      let client = try server.connect()
      for target in ["\(url)/original", "\(url)/image", "\(url)/image?v=1", "\(url)/thumbnail"] {
        func send(_ method: String, _ field: String = "") async throws -> Answer {
          let head = "\(method) \(target) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(own)\r\n"
          return Answer(try await client.request("\(head)\(field)\r\n"))
        }
        let whole = try await send("GET").expect(200)
        #expect(isAsked(1))
        let tag = try #require(whole["etag"])
        for method in ["GET", "HEAD"] {
          let known = try await send(method, "If-None-Match: \(tag)\r\n").expect(304)
          #expect(known["etag"] == tag && known.response.body.isEmpty)
        }
        let head = try await send("HEAD").expect(200)
        for name in ["content-length", "content-type", "etag", "cache-control"] {
          #expect(head[name] == whole[name])
        }
        try await send("GET", "Range: bytes=9999999-\r\n")
          .expect(416, problem: "range-not-satisfiable")
        #expect(isAsked(0))
        let part = try await send("GET", "Range: bytes=100-199\r\n").expect(206)
        #expect(part.response.body == Array(whole.response.body[100..<200]))
        #expect(part["content-range"] == "bytes 100-199/\(whole.response.body.count)")
        #expect(isAsked(1))
      }
      #expect(try await server.get("\(url)/original", token: own).response.body == photo)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a server needs the bucket of its database`() async throws {
    try await withObjects { installation in
      let settings = installation.settings
      func start(_ changes: [String: String?]) async throws -> (code: Int32, output: String) {
        var settings = settings
        for (name, value) in changes { settings[name] = value }
        return try await ServerProcess.run(
          ["serve", "--port", "0", "--data", installation.folder("b").path],
          environment: settings)
      }
      func expect(
        _ changes: [String: String?], _ problem: String,
        sourceLocation: SourceLocation = #_sourceLocation
      ) async throws {
        let ended = try await start(changes)
        #expect(ended.code == 2, "\(ended.output)", sourceLocation: sourceLocation)
        #expect(ended.output.contains(problem), "\(ended.output)", sourceLocation: sourceLocation)
      }
      try await expect(
        ["MEMEME_DATABASE": nil, "MEMEME_SECRET_KEY_FILE": nil],
        "MEMEME_OBJECTS: needs MEMEME_DATABASE")
      try await expect(
        ["MEMEME_OBJECTS": nil], "MEMEME_OBJECTS_KEY_FILE: is only for MEMEME_OBJECTS")
      try await expect(
        ["MEMEME_OBJECTS_KEY_FILE": nil], "MEMEME_OBJECTS_KEY_FILE: is required with MEMEME_OBJECTS"
      )
      try await expect(
        [
          "MEMEME_OBJECTS_KEY_FILE": nil, "AWS_ACCESS_KEY_ID": "tester",
          "AWS_SECRET_ACCESS_KEY": "wrong",
        ], "MEMEME_OBJECTS: the object store refused a request: status 403")
      try await expect(
        ["MEMEME_OBJECTS": "s3://memes?endpoint=http://store.example"],
        "MEMEME_OBJECTS: endpoint must begin with https://")

      let first = try await ServerProcess(data: installation.folder("a"), settings: settings)
      try await first.post(try form("here")).expect(201)
      try await expect(
        ["MEMEME_OBJECTS": nil, "MEMEME_OBJECTS_KEY_FILE": nil], "MEMEME_OBJECTS: is required")
      let store = try RcloneServer.shared()
      try await expect(
        ["MEMEME_OBJECTS": store.address(of: try store.makeBucket().name)],
        "MEMEME_OBJECTS: is not the bucket with the pictures of this database")
      let stranger = try PostgreSQLServer.shared().makeDatabase()
      try await expect(
        ["MEMEME_DATABASE": PostgreSQLServer.shared().address(of: stranger)],
        "MEMEME_OBJECTS: is the bucket of another database")

      // Commands use it too.
      let out = installation.folder("out").path
      for arguments in [["export", out], ["import", out], ["check", "--decode"]] {
        let ended = try await ServerProcess.run(
          arguments + ["--data", installation.folder("c").path], environment: settings)
        #expect(ended.code == 0, "\(ended.output)")
      }
      #expect(try await first.end(by: SIGTERM) == 0)
      #expect(!first.log.contains("error"), "\(first.log)")
    }
  }

  @Test func `a check finds a lost object, and a repair draws it again`() async throws {
    try await withObjects { installation in
      let settings = installation.settings
      let data = installation.folder("a")
      var server = try await ServerProcess(data: data, settings: settings)
      let url = try #require(try await server.post(try form("whole")).expect(201)["location"])
      let before = try await server.get("\(url)/image").expect(200).response.body
      #expect(try await server.end(by: SIGTERM) == 0)

      let key = try installation.database.run(
        "SELECT object_key FROM blobs WHERE id = (SELECT blob FROM pictures WHERE role = 1)"
      ).trimmingCharacters(in: .whitespacesAndNewlines)
      let bucket = try S3Address(try #require(settings["MEMEME_OBJECTS"]))
      try await S3Store(bucket, as: RcloneServer.account).remove(try #require(ObjectKey(key)))

      func check(_ arguments: String...) async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["check"] + arguments + ["--data", data.path], environment: settings)
      }
      let found = try await check()
      #expect(found.code == 1 && found.output.contains("unreadable-blob meme="), "\(found.output)")
      #expect(found.output.contains("object \(key): the object store has no such object"))
      let repaired = try await check("--repair")
      #expect(repaired.code == 0, "\(repaired.output)")
      server = try await ServerProcess(data: data, settings: settings)
      #expect(try await server.get("\(url)/image").expect(200).response.body == before)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
