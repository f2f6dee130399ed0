import Bytes
import Metrics
import Support
import Testing

@testable import Objects

/// The client with a store that fails.
struct FaultyStoreTests {
  private func withStore(
    _ responses: [String], pausing pause: Duration = .zero,
    _ body: (S3Store, ScriptedStore) async throws -> Void
  ) async throws {
    let server = try ScriptedStore(responses, pausing: pause)
    defer { server.stop() }
    try await body(store(port: server.port), server)
  }

  private func store(port: Int) throws -> S3Store {
    let address = "s3://bucket/p?endpoint=http://127.0.0.1:\(port)&path-style=yes&region=r-1"
    return S3Store(
      try S3Address(address), as: S3Credentials(accessKey: "key", secret: "secret"),
      // The tests count attempts, on a machine that may be busy.
      attemptTime: .seconds(60))
  }

  private func key(_ text: String = "20261125/1") throws -> ObjectKey {
    try #require(ObjectKey(text))
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func `a request is sent again if the store cannot work`(_ status: Int) async throws {
    let failure = scripted(status, "<Error><Code>SlowDown</Code></Error>")
    try await withStore([failure, failure, scripted(200, "bytes")]) { store, server in
      let bytes = try await store.get(try key(), upTo: 5)
      #expect(bytes == Bytes("bytes"))
      #expect(server.requests.count == 3)
    }
    try await withStore([failure, failure, scripted(200, "bytes")]) { store, server in
      let key = try key()
      #expect(try await blocking { try store.blockingGet(key, upTo: 5) } == Bytes("bytes"))
      #expect(server.requests.count == 3)
    }
    try await withStore([failure]) { store, server in
      await #expect(throws: ObjectError.unavailable("status \(status), SlowDown")) {
        try await store.put(Bytes("bytes"), at: try key())
      }
      #expect(server.requests.count == 3)
      // The same key each time.
      #expect(server.requests.allSatisfy { $0.hasPrefix("PUT /bucket/p/20261125/1 HTTP/1.1") })
    }
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\n", scripted(200, "by", length: 5), "nonsense\r\n\r\n",
  ])
  func `a response that ends in the middle is no response`(_ response: String) async throws {
    try await withStore([response]) { store, server in
      let error = await #expect(throws: ObjectError.self) {
        try await store.get(try key(), upTo: 5)
      }
      guard case .unavailable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(server.requests.count == 3)
    }
    try await withStore([response, scripted(200, "bytes")]) { store, _ in
      let bytes = try await store.get(try key(), upTo: 5)
      #expect(bytes == Bytes("bytes"))
    }
  }

  @Test func `a store that sends too slowly is given up`() async throws {
    try await withStore([scripted(200, "bytes")], pausing: .milliseconds(500)) { store, _ in
      let error = await #expect(throws: ObjectError.self) {
        try await store.get(try key(), upTo: 5)
      }
      guard case .unavailable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `a store that does not listen is unavailable`() async throws {
    let server = try ScriptedStore([])
    let port = server.port
    server.stop()
    let error = await #expect(throws: ObjectError.self) {
      try await store(port: port).put(Bytes("bytes"), at: try key())
    }
    guard case .unavailable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `requests are measured, each time that they are sent`() async throws {
    let absent = scripted(404, "<Error><Code>NoSuchKey</Code></Error>")
    let failure = scripted(503)
    try await withStore([failure, scripted(200, "bytes"), absent]) { store, _ in
      _ = try await store.get(try key(), upTo: 5)
      await #expect(throws: ObjectError.absent) { try await store.get(try key(), upTo: 5) }
      for (operation, seconds, failures) in store.meter.readings {
        #expect(seconds.count == (operation == .get ? 3 : 0))
        #expect(failures.value == (operation == .get ? 1 : 0))
      }
    }
  }

  @Test(arguments: [
    (400, "InvalidRequest"), (403, "AccessDenied"), (404, "NoSuchBucket"),
    (301, "PermanentRedirect"), (307, "TemporaryRedirect"),
  ])
  func `a rejected request is not sent again`(_ status: Int, _ code: String) async throws {
    let answer = scripted(status, "<Error><Code>\(code)</Code><Message>m</Message></Error>")
    try await withStore([answer]) { store, server in
      await #expect(throws: ObjectError.rejected("status \(status), \(code)")) {
        try await store.get(try key(), upTo: 5)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `absent and slow are read from the code`() async throws {
    let answers = [
      (404, "<Error><Code>NoSuchKey</Code></Error>", ObjectError.absent),
      // The response of a proxy.
      (404, "<html>nothing here</html>", .unavailable("status 404")),
      (
        400, "<Error><Code>RequestTimeout</Code></Error>",
        .unavailable("status 400, RequestTimeout")
      ),
    ]
    for (status, body, error) in answers {
      try await withStore([scripted(status, body)]) { store, _ in
        await #expect(throws: error) { try await store.get(try key(), upTo: 5) }
      }
    }
  }

  @Test func `a part is asked for by its range`() async throws {
    let part = scripted(206, "yte", range: "bytes 1-3/5")
    try await withStore([scripted(503), part]) { store, server in
      let bytes = try await store.get(try key(), 1..<4, of: 5)
      #expect(bytes == Bytes("yte"))
      #expect(server.requests.count == 2)
      for request in server.requests {
        #expect(request.hasPrefix("GET /bucket/p/20261125/1 HTTP/1.1"))
        #expect(request.lowercased().contains("\r\nrange: bytes=1-3"))
      }
    }
    try await withStore([part]) { store, _ in
      // The other calls ask for everything, and the range of one response is not that of another.
      _ = try await store.get(try key(), 1..<4, of: 5)
      let bytes = try await store.get(try key(), upTo: 5)
      #expect(bytes == Bytes("yte"))
    }
    try await withStore([scripted(200, "bytes")]) { store, server in
      _ = try await store.get(try key(), upTo: 5)
      #expect(server.requests.allSatisfy { !$0.lowercased().contains("\r\nrange:") })
    }
  }

  @Test(arguments: [
    // The whole, because the store ignores `Range`.
    (scripted(200, "bytes"), "no range instead of bytes 1-3/5"),
    (scripted(200, "bytes", range: "bytes 0-4/5"), "bytes 0-4/5 instead of bytes 1-3/5"),
    (scripted(206, "yte"), "no range instead of bytes 1-3/5"),
    (scripted(206, "yte", range: "bytes 0-2/5"), "bytes 0-2/5 instead of bytes 1-3/5"),
    (scripted(206, "yte", range: "bytes 1-3/6"), "bytes 1-3/6 instead of bytes 1-3/5"),
    (scripted(206, "yte", range: "bytes 1-3/*"), "bytes 1-3/* instead of bytes 1-3/5"),
    (scripted(206, "yt", range: "bytes 1-3/5"), "2 bytes instead of 3"),
    (scripted(206, "ytes", range: "bytes 1-3/5"), "4 bytes instead of 3"),
    (scripted(206, "", range: "bytes 1-3/5"), "0 bytes instead of 3"),
  ])
  func `a part is the one that was asked for, or an error`(
    _ response: String, _ problem: String
  ) async throws {
    try await withStore([response]) { store, server in
      await #expect(throws: ObjectError.unreadable(problem)) {
        try await store.get(try key(), 1..<4, of: 5)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a part that ends in the middle is asked for again`() async throws {
    let (short, whole) = (
      scripted(206, "yt", length: 3, range: "bytes 1-3/5"),
      scripted(206, "yte", range: "bytes 1-3/5")
    )
    try await withStore([short, whole]) { store, server in
      let bytes = try await store.get(try key(), 1..<4, of: 5)
      #expect(bytes == Bytes("yte"))
      #expect(server.requests.count == 2)
    }
    // The object is shorter than its row says.
    let outside = scripted(416, "<Error><Code>InvalidRange</Code></Error>")
    try await withStore([outside]) { store, _ in
      await #expect(throws: ObjectError.rejected("status 416, InvalidRange")) {
        try await store.get(try key(), 1..<4, of: 5)
      }
    }
  }

  @Test func `an endless response is cut`() async throws {
    let limit = S3Request.documentBytes
    let long = String(repeating: "x", count: limit + 1)
    try await withStore([scripted(200, long)]) { store, server in
      await #expect(throws: ObjectError.unreadable("the response has more than \(limit) bytes")) {
        try await store.get(try key(), upTo: 5)
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a copy may fail with the status 200`() async throws {
    let failure = scripted(200, "<Error><Code>InternalError</Code></Error>")
    try await withStore([failure]) { store, _ in
      await #expect(throws: ObjectError.unavailable("the copy failed: InternalError")) {
        try await store.copy(try key(), to: try key("20261125/2"))
      }
    }
    try await withStore([scripted(200, "<CopyObjectResult/>")]) { store, server in
      try await store.copy(try key(), to: try key("20261125/2"))
      let request = try #require(server.requests.first)
      #expect(request.hasPrefix("PUT /bucket/p/20261125/2 HTTP/1.1"))
      #expect(request.contains("x-amz-copy-source: /bucket/p/20261125/1\r\n"))
    }
  }

  @Test func `the names of a query are sorted and its values escaped`() async throws {
    let first = """
      <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <IsTruncated>true</IsTruncated><NextContinuationToken>a+/=&amp;b</NextContinuationToken>
      <Contents><Key>p/20261125/1</Key><Size>1</Size></Contents>
      <Contents><Key>other/20261125/2</Key></Contents><Contents><Key>p/readme.txt</Key></Contents>
      </ListBucketResult>
      """
    let last = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
    try await withStore([scripted(200, first), scripted(200, last)]) { store, server in
      let page = try await store.list("20261125/", nil)
      #expect(page.keys.map(\.text) == ["20261125/1"])
      let next = try #require(page.next)
      #expect(try await store.list("20261125/", next) == ObjectPage(keys: [], next: nil))
      #expect(
        server.requests.map { $0.prefix { $0 != "\r\n" } } == [
          "GET /bucket/?list-type=2&max-keys=1000&prefix=p%2F20261125%2F HTTP/1.1",
          """
          GET /bucket/?continuation-token=a%2B%2F%3D%26b&list-type=2&max-keys=1000&\
          prefix=p%2F20261125%2F HTTP/1.1
          """,
        ])
    }
  }

  @Test func `a request is signed without a digest of its body`() async throws {
    try await withStore([scripted(200)]) { store, server in
      try await store.put(Bytes("bytes"), at: try key())
      let request = try #require(server.requests.first).lowercased()
      #expect(request.contains("x-amz-content-sha256: unsigned-payload\r\n"))
      #expect(request.contains("authorization: aws4-hmac-sha256 credential=key/"))
      #expect(request.contains("/r-1/s3/aws4_request"))
      #expect(request.contains("content-length: 5") && !request.contains("secret"))
    }
  }

  @Test(arguments: [
    "", "<", "text", "<ListBucketResult>", "<Other/>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken/></ListBucketResult>",
    "<ListBucketResult><IsTruncated>maybe</IsTruncated></ListBucketResult>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><ListBucketResult>&b;</ListBucketResult>",
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><ListBucketResult/>",
    "<ListBucketResult/><ListBucketResult/>", "<ListBucketResult>\u{0}</ListBucketResult>",
    String(repeating: "<a>", count: 9) + String(repeating: "</a>", count: 9),
    "<ListBucketResult>\(String(repeating: "<a/>", count: 50_000))</ListBucketResult>",
  ])
  func `a list that is no list is unreadable`(_ body: String) async throws {
    try await withStore([scripted(200, body)]) { store, server in
      let error = await #expect(throws: ObjectError.self) { try await store.list("", nil) }
      guard case .unreadable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(server.requests.count == 1)
    }
  }
}
