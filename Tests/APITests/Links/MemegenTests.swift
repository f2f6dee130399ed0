import Support
import Testing
import Wire
import mememe

/// The JSON calls of memegen.
struct MemegenTests {
  private static let box = #"{"text": "one", "x": 0, "y": 0, "width": 1, "height": 0.3}"#

  private func makeTemplates(on server: TestServer) async throws {
    try await server.keepTemplate(
      .photo, name: "Photo",
      [.field("aliases", "photo"), .field("boxes", "[\(Self.box)]"), .field("tags", "cat")]
    ).expect(201)
    try await server.keepTemplate(.moving, name: "Moving").expect(201)
  }

  @Test func `templates are a bare array in the form of memegen`() async throws {
    try await withServer { server in
      try await makeTemplates(on: server)
      let all = try await server.get("/memegen/templates/").expect(200).json.elements
      #expect(all.map { $0["name"] } == ["Moving", "Photo"])
      let photo = all[1]
      let root = "http://127.0.0.1:\(server.port)"
      #expect(photo.id == "photo" && photo.lines == 1 && photo.keywords == ["cat"])
      #expect(photo.blank.text == "\(root)/images/photo.jpg")
      #expect(photo.example["text"] == ["one"])
      #expect(photo.example.url.text == "\(root)/images/photo/one.jpg")
      #expect(photo["_self"].text == "\(root)/memegen/templates/photo")
      #expect(try await server.get("/memegen/templates/photo").expect(200).json == photo)
      // Without boxes there are two lines, and without an alias the ID is the name.
      #expect(all[0].lines == 2 && all[0].id.text?.count == 36)
      for (query, names) in [
        ("filter=pho", ["Photo"]), ("filter=", ["Moving", "Photo"]), ("animated=true", ["Moving"]),
        ("animated=false", ["Photo"]),
      ] {
        let found = try await server.get("/memegen/templates?\(query)").expect(200).json.elements
        #expect(found.compactMap { $0["name"].text } == names, "\(query)")
      }
      for url in [photo.blank.text, photo.example.url.text, all[0].example.url.text] {
        try await server.get(String(try #require(url).dropFirst(root.count))).expect(200)
      }
    }
  }

  @Test func `a meme is made with the names of memegen`() async throws {
    try await withServer { server in
      try await makeTemplates(on: server)
      let root = "http://127.0.0.1:\(server.port)"
      let body =
        #"{"template_id": "photo", "text": ["a b"], "style": ["default"], "extension": "png"}"#
      let made = try await server.json("POST", "/memegen/images/", body).expect(201)
      #expect(made.json.url.text == "\(root)/images/photo/a_b.png")
      let named = try await server.json(
        "POST", "/memegen/templates/photo", #"{"text_lines": ["a:joy:"], "redirect": true}"#
      ).expect(302)
      #expect(named["location"] == "\(root)/images/photo/a%F0%9F%98%82.jpg")
      try await server.json("POST", "/memegen/images", "{}")
        .expect(422, fields: ["template_id missing"])
      try await server.json("POST", "/memegen/images", #"{"template_id": "nothing"}"#)
        .expect(422, fields: ["template_id unknown-template"])
      try await server.json("POST", "/memegen/templates/nothing", "{}").expect(404)
      try await server.json(
        "POST", "/memegen/templates/photo",
        #"{"text": ["a"], "text_lines": ["b"], "color": "red"}"#
      ).expect(422, fields: ["color unknown-field", "text not-together"])
      try await server.json("POST", "/memegen/templates/photo", #"{"text": ["a", "b"]}"#)
        .expect(422, fields: ["text too-many"])
    }
  }

  @Test func `fonts are a bare array`() async throws {
    try await withServer { server in
      let fonts = try await server.get("/memegen/fonts/").expect(200).json.elements
      #expect(fonts.first?.id == "impact" && fonts.allSatisfy { $0.alias == $0.id })
    }
  }

  @Test func `without credentials, a server with a key makes no addresses`() async throws {
    try await withServer({ $0.linkKey = "0123456789abcdef" }) { server in
      try await makeTemplates(on: server)
      try await server.json("POST", "/memegen/images", #"{"template_id": "photo"}"#).expect(401)
      // The examples of the list are signed.
      let photo = try await server.get("/memegen/templates/photo").expect(200).json
      let url = try #require(photo.example.url.text)
      try await server.get(String(url.dropFirst("http://127.0.0.1:\(server.port)".count)))
        .expect(200)
    }
  }
}
