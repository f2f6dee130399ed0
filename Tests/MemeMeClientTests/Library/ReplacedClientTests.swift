import Eventually
import Foundation
import MemeMeClient
import Synchronization
import Testing
import Wire

/// Clients that an app replaces while the library syncs.
struct ReplacedClientTests {
  typealias Script = LibraryScript

  @Test func `a client replaced during a round sends nothing for another user`() async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b", "c"] {
        try await library.create(MemeFields(top: top), picture: photo)
      }
      script.on(
        "GET /users/me", Script.ok(Script.user("grumpy_cat")), Script.ok(Script.user("happy_cat")))
      script.before("POST /memes") { library.signIn("another") }
      await #expect(throws: LibraryError.otherPerson(owner: "grumpy_cat", signedIn: "happy_cat")) {
        try await library.sync()
      }
      // The request on its way was still the owner's, and its meme is the owner's.
      #expect(server.changes.map(\.token) == ["a-secret"])
      #expect(Set(try await library.states()) == ["a: sent", "b: waiting", "c: waiting"])
      #expect(Set(server.reads.map(\.token)) == ["a-secret"])
      // After the owner has signed in again, the rest is sent, and nothing twice.
      library.signIn("the-owner")
      try await library.sync()
      #expect(server.changes.map(\.token) == ["a-secret", "the-owner", "the-owner"])
      #expect(server.changes.map { $0.field("top") } == ["a", "b", "c"])
    }
  }

  @Test func `the owner who signs in during a round continues it`() async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b"] { try await library.create(MemeFields(top: top), picture: photo) }
      script.before("POST /memes") { library.signIn("the-owner") }
      #expect(try await library.sync().sent == 2)
      #expect(server.changes.map(\.token) == ["a-secret", "the-owner"])
    }
  }

  @Test func `a client replaced while the server is asked for its user is not confirmed`()
    async throws
  {
    try await withLibrary { library, script, server in
      script.on(
        "GET /users/me", Script.ok(Script.user("grumpy_cat")), Script.ok(Script.user("happy_cat")))
      script.before("GET /users/me") { library.signIn("another") }
      try await library.sync()
      #expect(try await library.owner() == "happy_cat")
      #expect(Set(server.reads.map(\.token)) == ["another"])
    }
  }

  @Test func `a client replaced after a round does not wait for changes of another user`()
    async throws
  {
    try await withLibrary { library, script, server in
      script.on(
        "GET /users/me", Script.ok(Script.user("grumpy_cat")), Script.ok(Script.user("happy_cat")))
      script.before("GET /memes/changes") { library.signIn("another") }
      let running = Task { await library.run() }
      try await eventually("the library has stopped, or has read as the other user") {
        if case .stopped = library.status { return true }
        return server.reads.contains { $0.token == "another" }
      }
      running.cancel()
      await running.value
      #expect(Set(server.reads.map(\.token)) == ["a-secret"])
    }
  }

  @Test func `signing out during a round sends nothing without a token`() async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b"] { try await library.create(MemeFields(top: top), picture: photo) }
      script.on(
        "GET /users/me", Script.ok(Script.user("grumpy_cat")), Script.problem(401, "unauthorized"))
      script.on("DELETE /sessions/current", Script.done)
      let signingOut = Mutex<Task<Void, any Error>?>(nil)
      script.before("POST /memes") {
        signingOut.withLock { $0 = Task { try await library.signOut() } }
        while library.client.token != nil { Thread.sleep(forTimeInterval: 0.001) }
      }
      await #expect(throws: LibraryError.signInNeeded) { try await library.sync() }
      try await signingOut.withLock { $0 }?.value
      let sent = server.changes.filter { $0.call == "POST /memes" }
      #expect(sent.map(\.token) == ["a-secret"])
      #expect(try await library.table().isEmpty)
      // The next user becomes the owner.
      script.on("GET /users/me", Script.ok(Script.user("happy_cat")))
      library.signIn("another")
      try await library.sync()
      #expect(try await library.owner() == "happy_cat")
    }
  }
}

extension MemeLibrary {
  fileprivate func signIn(_ token: String) { client = client.authorized(by: Token(token)) }
}

extension ScriptedServer {
  /// The requests for changes on the server.
  fileprivate var reads: [Request] { requests.filter { $0.call == "GET /memes/changes" } }
}

extension ScriptedServer.Request {
  /// The token in the request; `nil` if there is none.
  fileprivate var token: String? {
    headers["authorization"].map { String($0.dropFirst("Bearer ".count)) }
  }
}
