import Testing

extension TestServer {
  /// Makes a meme of a small picture.
  ///
  /// - Returns: its URL.
  package func make(
    _ visibility: String = "public", top: String = "x", _ fields: [String: String] = [:],
    token: String? = nil
  ) async throws -> String {
    var parts: [FormBody.Part] = [
      .file("image", try Fixture.moving.bytes), .field("top", top), .field("format", "jpeg"),
      .field("visibility", visibility),
    ]
    parts += fields.sorted { $0.key < $1.key }.map { .field($0.key, $0.value) }
    return try #require(try await post(parts, token: token).expect(201)["location"])
  }

  /// Makes two people friends.
  package func befriend(
    _ one: (name: String, token: String), _ other: (name: String, token: String)
  ) async throws {
    try await put("/users/\(other.name)/follow", token: one.token).expect(204)
    try await put("/users/\(one.name)/follow", token: other.token).expect(204)
  }

  /// Sends a request without a body.
  package func put(_ target: String, token: String? = nil) async throws -> Answer {
    let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await send("PUT", target, headers: authorization)
  }

  /// The URLs of the memes in a list, from all pages.
  package func listed(_ target: String = "/memes", token: String? = nil) async throws -> [String] {
    var (found, next): ([String], String?) = ([], target)
    while let target = next {
      let page = try await get(target, token: token).expect(200)
      found += page.json.items.elements.compactMap(\.id.text).map { "/memes/\($0)" }
      next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(String.init)
    }
    return found
  }
}
