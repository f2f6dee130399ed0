import Eventually
import Foundation
import MemeMeClient
import Support
import Synchronization
import Testing
import Wire

/// Pictures that are too large to be sent in one request over a bad network.
struct LargePictureTests {
  @Test func `an interrupted upload resumes after the app restarts`() async throws {
    try await withCalls { folder, calls, server in
      let token = try await server.signUp("ada")
      let picture = try large()
      calls.onPieces { $0 < 3 ? .cutRequest(0.5) : .drop }
      var library = try MemeLibrary(at: folder, client: calls.client(token))
      let id = try await library.create(MemeFields(top: "a"), picture: picture)
      #expect(await library.failureOfSync() != "none")
      #expect(try await library.states() == ["a: waiting"])
      await library.close()
      library = try MemeLibrary(at: folder, client: calls.client(token))
      let sent = calls.pieces
      calls.onPieces { $0 < sent + 3 ? .cutRequest(0.5) : .none }
      try await library.sync()
      #expect(calls.pieces == sent + 4)
      #expect(try await library.states() == ["a: sent"])
      #expect(calls.count(of: "POST /uploads") == 1)
      #expect(calls.count(of: "POST /memes") == 1)
      let client = server.client(token)
      #expect(try await client.original(id).data == picture)
      // The meme has its own copy, so the upload is deleted.
      #expect(calls.count(of: "DELETE /uploads/") == 1)
      await library.close()
    }
  }

  @Test func `a lost response makes one meme`() async throws {
    try await withCalls { folder, calls, server in
      let token = try await server.signUp("ada")
      let library = try MemeLibrary(at: folder, client: calls.client(token))
      calls.on("POST /memes") { $0 == 0 ? .loseAnswer : .none }
      _ = try await library.create(MemeFields(top: "a"), picture: try large())
      #expect(await library.failureOfSync() != "none")
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
      #expect(try await server.client(token).memes().items.count == 1)
      await library.close()
    }
  }

  @Test func `a missing upload is started again`() async throws {
    try await withCalls { folder, calls, server in
      let token = try await server.signUp("ada")
      let library = try MemeLibrary(at: folder, client: calls.client(token))
      calls.onPieces { $0 < 5 ? .drop : .none }
      let picture = try large()
      let id = try await library.create(MemeFields(top: "a"), picture: picture)
      #expect(await library.failureOfSync() != "none")
      let begun = try #require(calls.last("PATCH /uploads/").flatMap { Upload.ID($0) })
      try await server.client(token).delete(begun)
      calls.onPieces { _ in .none }
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
      #expect(calls.count(of: "POST /uploads") == 2)
      #expect(try await server.client(token).original(id).data == picture)
      await library.close()
    }
  }

  @Test func `an upload that expires before its meme is created is started again`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: noise(2 << 20))
      let (first, second) = (Upload.ID(), Upload.ID())
      script.on("POST /uploads", begun(first), begun(second))
      script.on("PATCH /uploads/ID", has(2 << 20), has(2 << 20))
      script.on(
        "POST /memes", LibraryScript.unknownUpload(),
        LibraryScript.made(LibraryScript.meme(id, top: "a")))
      script.on("DELETE /uploads/ID", LibraryScript.done)
      #expect(await library.failureOfSync() != "none")
      #expect(try await library.states() == ["a: waiting"])
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
      let made = server.changes.filter { $0.call == "POST /memes" }
      #expect(made.map { $0.field("upload") } == ["\(first)", "\(second)"])
      #expect(made.map { $0.field("id") } == ["\(id)", "\(id)"])
      #expect(Set(made.map { $0.headers["idempotency-key"] }).count == 2)
    }
  }

  @Test func `an expired upload of a sticker fails the meme, whose picture is sent once`()
    async throws
  {
    try await withLibrary { library, script, server in
      var fields = MemeFields(top: "a")
      fields.pictures = [
        PictureBox.New(.upload(Upload.ID()), in: PictureBox(x: 0, y: 0, width: 0.5, height: 0.5))
      ]
      try await library.create(fields, picture: noise(2 << 20))
      script.on("POST /uploads", begun(Upload.ID()))
      script.on("PATCH /uploads/ID", has(2 << 20))
      script.on("POST /memes", LibraryScript.unknownUpload("pictures[0].upload"))
      try await library.sync()
      #expect(try await library.states() == ["a: failed invalid-input"])
      #expect(server.changingCalls == ["POST /uploads", "PATCH /uploads/ID", "POST /memes"])
    }
  }

  @Test func `too many unfinished uploads only hold up memes with large pictures`() async throws {
    try await withLibrary { library, script, server in
      try await library.create(MemeFields(top: "large"), picture: noise(2 << 20))
      let small = try await library.create(MemeFields(top: "small"), picture: photo)
      script.on("POST /uploads", tooManyUploads)
      #expect(await library.failureOfSync() == "too-many-uploads")
      #expect(Set(try await library.states()) == ["large: waiting", "small: sent"])
      #expect(server.changes.last?.field("id") == "\(small)")
    }
  }

  @Test func `a round starts no upload after there are too many`() async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b", "c"] {
        try await library.create(MemeFields(top: top), picture: noise(2 << 20))
      }
      script.on("POST /uploads", tooManyUploads)
      #expect(await library.failureOfSync() == "too-many-uploads")
      #expect(server.changingCalls == ["POST /uploads"])
      #expect(Set(try await library.states()) == ["a: waiting", "b: waiting", "c: waiting"])
    }
  }

  @Test func `a round asks a busy server once to start an upload`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: noise(2 << 20))
      script.on("POST /uploads", LibraryScript.problem(503, "overloaded"), begun(Upload.ID()))
      #expect(await library.failureOfSync() == "overloaded")
      #expect(server.changingCalls == ["POST /uploads"])
      script.on("PATCH /uploads/ID", has(2 << 20))
      script.on("POST /memes", LibraryScript.made(LibraryScript.meme(id, top: "a")))
      script.on("DELETE /uploads/ID", LibraryScript.done)
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
    }
  }

  @Test func `too many unfinished uploads do not pause the library for a day`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: noise(2 << 20))
      script.on("POST /uploads", tooManyUploads, begun(Upload.ID()))
      script.on("PATCH /uploads/ID", has(2 << 20))
      script.on("POST /memes", LibraryScript.made(LibraryScript.meme(id, top: "a")))
      script.on("DELETE /uploads/ID", LibraryScript.done)
      let running = Task { await library.run() }
      try await eventually("the library pauses or is done") {
        if case .waiting = library.status { true } else { library.status == .upToDate }
      }
      if case .waiting(let time, _) = library.status { #expect(time.timeIntervalSinceNow < 301) }
      library.hurry()
      try await eventually("the meme is sent") { try await library.states() == ["a: sent"] }
      running.cancel()
      await running.value
    }
  }

  @Test(arguments: ["offset-mismatch", "upload-busy"])
  func `a meme waits while the server is receiving its picture`(code: String) async throws {
    try await withLibrary { library, script, _ in
      let id = try await library.create(MemeFields(top: "a"), picture: noise(2 << 20))
      script.on("POST /uploads", begun(Upload.ID()))
      for _ in 1...4 {
        script.on("PATCH /uploads/ID", LibraryScript.problem(409, code))
        script.on("GET /uploads/ID", has(0))
      }
      #expect(await library.failureOfSync() == code)
      #expect(try await library.states() == ["a: waiting"])
      script.on("PATCH /uploads/ID", has(2 << 20))
      script.on("POST /memes", LibraryScript.made(LibraryScript.meme(id, top: "a")))
      script.on("DELETE /uploads/ID", LibraryScript.done)
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
    }
  }

  @Test func `the draft of a large meme that was sent can be applied`() async throws {
    try await withCalls { folder, calls, server in
      let token = try await server.signUp("ada")
      let library = try MemeLibrary(at: folder, client: calls.client(token))
      calls.on("POST /memes") { $0 == 0 ? .loseAnswer : .none }
      let id = try await library.create(MemeFields(top: "a"), picture: try large())
      #expect(await library.failureOfSync() != "none")
      try await library.edit(id, MemeEdit(bottom: "b"))
      try await server.client(token).delete(id)
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      #expect(draft.kind == .creation && draft.reason == .deletedElsewhere)
      try await library.apply(draft.id)
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
      #expect(calls.count(of: "POST /uploads") == 1)
      #expect(try await server.client(token).memes().items.map(\.bottom) == ["b"])
      await library.close()
    }
  }

  @Test func `a creation that an earlier version has sent is not made twice`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let upload = try await client.upload(.data(try large()))
      let draft = MemeDraft(.upload(upload), MemeFields(top: "a"), id: Meme.ID())
      // Earlier versions took the ID of the upload as the key.
      let first = try await client.publish(draft, key: IdempotencyKey("\(upload)"))
      let again = try await client.publish(draft, key: IdempotencyKey("\(upload)-\(first.meme.id)"))
      #expect(first.isNew && !again.isNew && again.meme.id == first.meme.id)
      #expect(try await client.memes().items.count == 1)
    }
  }

  @Test func `an upload that is not a picture becomes a draft with the reason`() async throws {
    try await withLiveServer { server in
      try await withLibraryFolder { folder in
        let library = try MemeLibrary(at: folder, client: try await server.client(of: "ada"))
        _ = try await library.create(MemeFields(top: "a"), picture: noise(2 << 20))
        try await library.sync()
        #expect(try await library.states() == ["a: failed unsupported-picture"])
        await library.close()
      }
    }
  }

  /// A photo with trailing data, as some cameras append.
  private func large() throws -> Data { Data(try Fixture.photo.bytes) + noise(3 << 20) }

  private var tooManyUploads: ScriptedServer.Reply {
    LibraryScript.problem(429, "too-many-uploads", headers: ["Retry-After: 80000"])
  }

  private func begun(_ id: Upload.ID) -> ScriptedServer.Reply {
    .send(
      "HTTP/1.1 201 Created\r\nLocation: /uploads/\(id)\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\n\r\n"
    )
  }

  private func has(_ bytes: Int) -> ScriptedServer.Reply {
    .send(
      "HTTP/1.1 204 No Content\r\nUpload-Offset: \(bytes)\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\n\r\n"
    )
  }
}

/// A proxy that treats each call as the test says.
private final class Calls: Sendable {
  private let proxy: FaultProxy
  private let seen = Mutex<[String]>([])
  private let faults = Mutex<[String: @Sendable (Int) -> Fault]>([:])

  init(to server: TestServer) throws {
    proxy = try FaultProxy(to: server.port)
    proxy.choose { [self] call in
      let count = count(of: call)
      seen.withLock { $0.append(call) }
      let fault = faults.withLock { $0.first { call.hasPrefix($0.key) }?.value }
      return fault?(count) ?? .none
    }
  }

  /// - Parameter fault: The fault for a call, by the number of earlier calls of this kind.
  func on(_ call: String, _ fault: @escaping @Sendable (Int) -> Fault) {
    faults.withLock { $0[call] = fault }
  }

  func onPieces(_ fault: @escaping @Sendable (Int) -> Fault) { on("PATCH /uploads/", fault) }

  func count(of call: String) -> Int { seen.withLock { $0.count { $0.hasPrefix(call) } } }

  var pieces: Int { count(of: "PATCH /uploads/") }

  /// The rest of the last call with this prefix.
  func last(_ call: String) -> String? {
    seen.withLock { $0.last { $0.hasPrefix(call) } }.map { String($0.dropFirst(call.count)) }
  }

  func client(_ token: String) -> MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(proxy.port)") ?? URL(filePath: "/"), token: Token(token))
  }

  func stop() { proxy.stop() }
}

private func withCalls(_ body: (URL, Calls, TestServer) async throws -> Void) async throws {
  try await withLiveServer { server in
    let calls = try Calls(to: server)
    defer { calls.stop() }
    try await withLibraryFolder { folder in try await body(folder, calls, server) }
  }
}
