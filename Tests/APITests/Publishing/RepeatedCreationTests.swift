import Foundation
import Support
import Testing
import Wire

/// A creation that a client repeats with its own id because it lost the response.
struct RepeatedCreationTests {
  private func create(
    _ id: String, _ top: String, on server: TestServer, token: String,
    _ fields: [String: String] = [:]
  ) async throws -> Answer {
    var parts: [FormBody.Part] = [
      .file("image", try Fixture.moving.bytes), .field("id", id), .field("top", top),
    ]
    parts += fields.sorted { $0.key < $1.key }.map { .field($0.key, $0.value) }
    return try await server.post(parts, token: token)
  }

  @Test(arguments: [
    ##"{"captions":{"fill":"#ff0000","layout":"bar","case":"typed"},"visibility":"private"}"##,
    ##"{"captions":{"font":"comic","size":0.1,"align":"left","outlineWidth":0,"outline":"#00ff00"}}"##,
  ])
  func `a repeated creation is the same even after settings change`(settings: String) async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let (early, late) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
      let first = try await create(early, "x", on: server, token: ada).expect(201).json
      try await server.patch("/users/me/settings", settings, token: ada).expect(200)
      let again = try await create(early, "x", on: server, token: ada).expect(200).json
      #expect(again == first)
      // The other way around: created with settings, repeated without.
      let second = try await create(late, "y", on: server, token: ada).expect(201).json
      try await server.patch(
        "/users/me/settings",
        #"{"captions":{"fill":null,"layout":null,"case":null,"font":null,"size":null,"align":null,"outlineWidth":null,"outline":null},"visibility":"public"}"#,
        token: ada
      ).expect(200)
      #expect(try await create(late, "y", on: server, token: ada).expect(200).json == second)
    }
  }

  @Test func `another form with the same id is rejected with the existing meme`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let id = UUID().uuidString.lowercased()
      let meme = try await create(id, "x", on: server, token: ada).expect(201).json
      for fields in [["bottom": "y"], ["fill": "#ff0000"], ["visibility": "private"]] {
        let taken = try await create(id, "x", on: server, token: ada, fields)
          .expect(409, problem: "id-taken")
        #expect(taken.json.meme == meme, "\(fields)")
      }
      let others = try await create(id, "x", on: server, token: bob)
        .expect(409, problem: "id-taken")
      #expect(others.json.meme == .null || others.json.meme.id.text == nil)
    }
  }
}
