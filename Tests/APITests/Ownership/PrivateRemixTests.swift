import Support
import Testing
import Wire

/// Remixes of memes that only their authors' friends can see.
struct PrivateRemixTests {
  private typealias People = (ada: String, bob: String, source: String)

  /// Calls `body` with a server on which bob and ada are friends and ada has a meme for friends.
  private func withFriends(_ body: (TestServer, People) async throws -> Void) async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      try await server.befriend(("ada", ada), ("bob", bob))
      try await body(server, (ada, bob, try await server.make("friends", token: ada)))
    }
  }

  private func remix(
    _ meme: String, on server: TestServer, token: String, _ visibility: String? = nil
  ) async throws -> Answer {
    var parts: [FormBody.Part] = [.field("remix", "\(meme.split(separator: "/").last ?? "")")]
    if let visibility { parts.append(.field("visibility", visibility)) }
    return try await server.post(parts, token: token)
  }

  private static let refused = ["visibility source-not-public"]

  @Test func `a remix of a friends-only meme is private, whatever the settings`() async throws {
    try await withFriends { server, people in
      for settings in ["public", "friends"] {
        try await server.patch(
          "/users/me/settings", #"{"visibility":"\#(settings)"}"#, token: people.bob
        ).expect(200)
        let made = try await remix(people.source, on: server, token: people.bob).expect(201)
        #expect(made.json.visibility.text == "private")
      }
      for wider in ["public", "friends"] {
        try await remix(people.source, on: server, token: people.bob, wider)
          .expect(422, problem: "invalid-input", fields: Self.refused)
      }
      try await remix(people.source, on: server, token: people.bob, "private").expect(201)
    }
  }

  @Test func `edits and remixes of a private remix stay private`() async throws {
    try await withFriends { server, people in
      let made = try await remix(people.source, on: server, token: people.bob).expect(201)
      let url = try #require(made["location"])
      for wider in ["public", "friends"] {
        try await server.patch(url, #"{"visibility":"\#(wider)"}"#, token: people.bob)
          .expect(422, problem: "invalid-input", fields: Self.refused)
        try await remix(url, on: server, token: people.bob, wider)
          .expect(422, problem: "invalid-input", fields: Self.refused)
      }
      #expect(
        try await remix(url, on: server, token: people.bob).expect(201).json.visibility.text
          == "private")
      try await server.patch(url, #"{"top":"edited"}"#, token: people.bob).expect(200)
      // With a picture of bob's own it is another meme.
      let own = FormBody([
        .file("image", try Fixture.moving.bytes), .field("visibility", "public"),
      ])
      let shown = try await server.patch(url, own, token: people.bob).expect(200)
      #expect(shown.json.visibility.text == "public")
    }
  }

  @Test func `an edit cannot bring a friends-only picture into a public meme`() async throws {
    try await withFriends { server, people in
      let url = try await server.make(token: people.bob)
      let source = people.source.split(separator: "/").last ?? ""
      try await server.patch(url, #"{"remix":"\#(source)"}"#, token: people.bob)
        .expect(422, problem: "invalid-input", fields: Self.refused)
      try await server.patch(
        url, #"{"remix":"\#(source)","visibility":"private"}"#, token: people.bob
      ).expect(200)
      try await server.patch(url, #"{"visibility":"public"}"#, token: people.bob)
        .expect(422, problem: "invalid-input", fields: Self.refused)
    }
  }

  @Test func `remixes of one's own and of public memes can have any visibility`() async throws {
    try await withFriends { server, people in
      let everyones = try await server.make(token: people.ada)
      for (source, token) in [(people.source, people.ada), (everyones, people.bob)] {
        for visibility in ["public", "friends", "private"] {
          let made = try await remix(source, on: server, token: token, visibility).expect(201)
          #expect(made.json.visibility.text == visibility)
        }
        let made = try await remix(source, on: server, token: token).expect(201)
        #expect(made.json.visibility.text == "public")
      }
    }
  }
}
