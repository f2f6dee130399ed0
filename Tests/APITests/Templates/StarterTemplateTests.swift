import Eventually
import Support
import Testing
import Wire
import mememe

/// The templates of a new server.
struct StarterTemplateTests {
  private func templates(of server: TestServer) async throws -> [JSON] {
    try await server.get("/templates?limit=100").expect(200).json.items.elements
  }

  private func waitForTemplates(of server: TestServer) async throws {
    try await eventually("the server has templates") {
      try await !templates(of: server).isEmpty
    }
  }

  @Test func `a new server has sixteen templates, all of which make memes`() async throws {
    try await withServer({ $0.starterTemplates = true }) { server in
      try await waitForTemplates(of: server)
      let found = try await templates(of: server)
      #expect(found.count == 16 && found.count { !$0.pictures.elements.isEmpty } == 3)
      for template in found {
        let alias = try #require(template.aliases[0].text)
        #expect(!template.boxes.elements.isEmpty && template.altText.text?.isEmpty == false)
        let id = try #require(template.id.text)
        #expect(try await server.get("/templates/\(alias)").expect(200).json.id == template.id)
        let texts = template.boxes.elements.map { _ in #""a""# }.joined(separator: ",")
        try await server.post([.field("template", id), .field("texts", "[\(texts)]")])
          .expect(201)
      }
      // They count in no quota. Only admins change them.
      let url = "/templates/\(try #require(found[0].id.text))"
      try await server.delete(url).expect(401)
    }
  }

  @Test func `after a restart the deleted ones stay deleted`() async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder, { $0.starterTemplates = true }) { server in
        try await waitForTemplates(of: server)
        for template in try await templates(of: server) {
          let url = "/templates/\(try #require(template.id.text))"
          try await server.delete(url, token: server.adminToken).expect(204)
        }
      }
      try await withServer(in: folder, { $0.starterTemplates = true }) { server in
        try await eventually("the server has looked") {
          try server.log.contains("no starter templates needed")
        }
        try await server.keepTemplate(name: "own").expect(201)
      }
      try await withServer(in: folder) { server in
        let found = try await templates(of: server)
        #expect(found.map(\.["name"]) == ["own"])
      }
    }
  }

  @Test func `a server with templates gets no others`() async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder) { server in
        #expect(try await templates(of: server).isEmpty)
        try await server.keepTemplate(name: "own").expect(201)
      }
      try await withServer(in: folder, { $0.starterTemplates = true }) { server in
        try await eventually("the server has looked") {
          try server.log.contains("no starter templates needed")
        }
      }
      try await withServer(in: folder) { server in
        let found = try await templates(of: server)
        #expect(found.map(\.["name"]) == ["own"])
      }
    }
  }
}
