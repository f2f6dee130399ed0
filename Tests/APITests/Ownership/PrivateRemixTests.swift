import Support
import Testing
import Wire

/// Remixes of memes that their authors show to friends alone.
struct PrivateRemixTests {
  private typealias People = (ada: String, bob: String, source: String)

  /// Bob is a friend of ada's, who has a meme for friends.
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

  @Test func `a friend's meme is remixed in private, whatever the settings say`() async throws {
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

  @Test func `it stays private when it is edited or remixed`() async throws {
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
      // With a picture of one's own it is another meme.
      let own = FormBody([
        .file("image", try Fixture.moving.bytes), .field("visibility", "public"),
      ])
      let shown = try await server.patch(url, own, token: people.bob).expect(200)
      #expect(shown.json.visibility.text == "public")
    }
  }

  @Test func `a public meme does not get the picture by an edit`() async throws {
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

  @Test func `own memes and public ones are remixed as before`() async throws {
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
