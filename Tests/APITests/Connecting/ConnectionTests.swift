import Crypto
import Eventually
import Foundation
import Memes
import Services
import Support
import Testing
import Wire
import mememe

/// Connections and mappings, without what they deliver.
struct ConnectionTests {
  private static let hook = #"{"name":"Chat","url":"https://hooks.example/x?y=1"}"#

  private func make(_ server: TestServer, token: String, _ json: String = hook) async throws
    -> String
  {
    let made = try await server.json("POST", "/connections", json, token: token).expect(201)
    return "/connections/\(made.json.id.text ?? "")"
  }

  @Test func `a connection is made, changed and deleted`() async throws {
    try await withServer({ $0.connections = .members }) { server in
      let ada = try await server.signUp("ada")
      let answer = try await server.json(
        "POST", "/connections", Self.hook, token: ada, headers: [("Idempotency-Key", "k")]
      ).expect(201)
      #expect(answer["cache-control"] == "no-store")
      let made = answer.json
      #expect(made.secret.text?.wholeMatch(of: /whsec_[A-Za-z0-9+\/]{43}=/) != nil)
      #expect(made.owner.text == "ada" && made.kind.text == "webhook")
      #expect(made.state.text == "idle" && made.mappingsState.text == "none")
      let path = "/connections/\(made.id.text ?? "")"
      let list = try await server.get("/connections", token: ada).expect(200)
      #expect(list.json.items[0].id == made.id && list.json.items[0].secret == .null)
      #expect(!list.response.text.contains("whsec_"))
      let changed = try await server.json(
        "PATCH", path, #"{"name":"Other","url":"http://other.example/"}"#, token: ada
      ).expect(200).json
      #expect(changed.name.text == "Other" && changed.url.text == "http://other.example/")
      let mapping = try await server.json(
        "POST", "\(path)/mappings",
        #"{"events":["meme.deleted","meme.created","meme.created"],"filter":{"visibility":"public"},"fields":["top","author"]}"#,
        token: ada
      ).expect(201).json
      #expect(mapping.events.elements.compactMap(\.text) == ["meme.created", "meme.deleted"])
      #expect(mapping.fields.elements.compactMap(\.text) == ["author", "top"])
      #expect(mapping.filter.visibility.text == "public" && mapping.filter.author == .null)
      let tagged = try await server.json(
        "PUT", "/mappings/\(mapping.id.text ?? "")",
        ##"{"events":["meme.created"],"filter":{"tag":"#Cat"}}"##, token: ada
      ).expect(200).json
      #expect(tagged.filter.tag.text == "cat" && tagged.filter.visibility == .null)
      let mappingPath = "/mappings/\(mapping.id.text ?? "")"
      let replaced = try await server.json(
        "PUT", mappingPath, #"{"events":["like.created"],"format":"slack"}"#, token: ada
      ).expect(200).json
      #expect(replaced.format.text == "slack" && replaced.filter.visibility == .null)
      #expect(replaced.filter.tag == .null)
      #expect(try await server.get(mappingPath, token: ada).expect(200).json == replaced)
      try await server.send(
        "POST", "\(mappingPath)/actions/reload", headers: [("Authorization", "Bearer \(ada)")]
      ).expect(409, problem: "nothing-to-reload")
      try await server.delete(mappingPath, token: ada).expect(204)
      try await server.get(mappingPath, token: ada).expect(404)
      try await server.delete(path, token: ada).expect(204)
      try await server.get(path, token: ada).expect(404)
      #expect(try !server.log.contains("whsec_"))
    }
  }

  @Test func `connections of other users do not exist`() async throws {
    try await withServer({ $0.connections = .members }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let path = try await make(server, token: ada)
      let mapping = try await server.json(
        "POST", "\(path)/mappings", #"{"events":["meme.created"]}"#, token: ada
      ).expect(201).json
      #expect(try await server.get("/connections", token: bob).json.items.elements.isEmpty)
      let bearer = [("Authorization", "Bearer \(bob)")]
      for target in [path, "\(path)/actions/export", "\(path)/deliveries"] {
        try await server.get(target, token: bob).expect(404)
      }
      for action in ["pause", "resume", "restart"] {
        try await server.send("POST", "\(path)/actions/\(action)", headers: bearer).expect(404)
      }
      try await server.json("PUT", "\(path)/secret", "{}", token: bob).expect(404)
      try await server.json("PATCH", path, #"{"name":"x"}"#, token: bob).expect(404)
      try await server.json(
        "POST", "\(path)/mappings", #"{"events":["meme.created"]}"#, token: bob
      ).expect(404)
      try await server.json(
        "POST", "\(path)/actions/import", #"{"version":1,"mappings":[]}"#, token: bob
      ).expect(404)
      let mappingPath = "/mappings/\(mapping.id.text ?? "")"
      try await server.get(mappingPath, token: bob).expect(404)
      try await server.json("PUT", mappingPath, #"{"events":["meme.created"]}"#, token: bob)
        .expect(404)
      try await server.delete(mappingPath, token: bob).expect(404)
      try await server.send("POST", "\(mappingPath)/actions/reload", headers: bearer).expect(404)
      try await server.delete(path, token: bob).expect(404)
      // An admin sees only those with the scope `all`.
      let root = try await server.signUpAdmin()
      try await server.get(path, token: root).expect(404)
      // And the admin token has no connections.
      try await server.get("/connections", token: server.adminToken).expect(403)
    }
  }

  @Test func `admins share the connections for all`() async throws {
    try await withServer { server in
      let (root, other) = (
        try await server.signUpAdmin(), try await server.signUpAdmin("other_cat")
      )
      let path = try await make(
        server, token: root, #"{"name":"x","url":"https://a.example","scope":"all"}"#)
      let own = try await make(server, token: root)
      #expect(try await server.get(path, token: other).expect(200).json.owner.text == "root_cat")
      try await server.get(own, token: other).expect(404)
      let mapping = try await server.json(
        "POST", "\(path)/mappings", #"{"events":["meme.created"],"filter":{"author":"root_cat"}}"#,
        token: other
      ).expect(201).json
      #expect(mapping.filter.author.text == "root_cat")
      try await server.json(
        "POST", "\(path)/mappings", #"{"events":["meme.created"],"filter":{"author":"nobody_1"}}"#,
        token: other
      ).expect(422)
      try await server.delete(path, token: other).expect(204)
    }
  }

  @Test func `without admin rights, an admin does not change connections for all`() async throws {
    try await withServer({ $0.connections = .members }) { server in
      let root = try await server.signUpAdmin()
      let path = try await make(
        server, token: root, #"{"name":"x","url":"https://a.example","scope":"all"}"#)
      let terms = #"{"events":["report.created"]}"#
      let mapping = try await server.json("POST", "\(path)/mappings", terms, token: root)
        .expect(201).json
      let mappingPath = "/mappings/\(mapping.id.text ?? "")"
      let writer = try await server.makeToken(["write"], token: root)
      for (method, target, json) in [
        ("PATCH", path, #"{"url":"https://b.example"}"#), ("PUT", "\(path)/secret", "{}"),
        ("POST", "\(path)/mappings", terms), ("PUT", mappingPath, terms),
        ("POST", "\(path)/actions/import", #"{"version":1,"mappings":[\#(terms)]}"#),
      ] {
        try await server.json(method, target, json, token: writer)
          .expect(403, problem: "forbidden")
      }
      for target in ["\(path)/actions/restart", "\(mappingPath)/actions/reload"] {
        try await server.send("POST", target, headers: [("Authorization", "Bearer \(writer)")])
          .expect(403, problem: "forbidden")
      }
      try await server.delete(mappingPath, token: writer).expect(403, problem: "forbidden")
      let connection = try await server.get(path, token: root).expect(200).json
      #expect(connection.url.text == "https://a.example")
      #expect(connection.mappings.elements == [mapping])

      let bearer = try await server.makeToken(["admin"], token: root)
      try await server.json("PATCH", path, #"{"name":"y"}"#, token: bearer).expect(200)
      // A former admin would otherwise have no way to remove it.
      try await server.delete(path, token: writer).expect(204)
    }
  }

  @Test func `the setting decides who may have connections`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await server.json("POST", "/connections", Self.hook, token: ada)
        .expect(403, problem: "forbidden")
      let root = try await server.signUpAdmin()
      // An access token without the scope `admin` is a member's.
      let tokens = try await server.json(
        "POST", "/users/me/tokens", #"{"name":"x","scopes":["write"]}"#, token: root
      ).expect(201).json
      try await server.json("POST", "/connections", Self.hook, token: tokens.token.text)
        .expect(403, problem: "forbidden")
    }
    try await withServer({ $0.connections = .off }) { server in
      let root = try await server.signUpAdmin()
      try await server.get("/connections", token: root).expect(403, problem: "connections-off")
    }
    try await withServer({ $0.connections = .members }) { server in
      let ada = try await server.signUp("ada")
      try await server.json(
        "POST", "/connections", #"{"name":"x","url":"https://a.example","scope":"all"}"#,
        token: ada
      ).expect(403)
      for _ in 0..<5 { _ = try await make(server, token: ada) }
      try await server.json("POST", "/connections", Self.hook, token: ada)
        .expect(409, problem: "too-many-connections")
    }
  }

  @Test(arguments: [
    #"{"name":"x"}"#, #"{"url":"https://a.example"}"#, #"{"name":"x","url":"ftp://a.example"}"#,
    #"{"name":"x","url":"https://u:p@a.example"}"#, #"{"name":"x","url":"https://"}"#,
    #"{"name":"x","url":"https://a.example/#f"}"#, #"{"name":"x","url":"https://a.example/ b"}"#,
    #"{"name":"x","url":"https://a.example:0"}"#, #"{"name":"x","url":"https://a.example:70000"}"#,
    #"{"name":"x","url":"https://a.example","secret":"whsec_dG9vIHNob3J0"}"#,
    #"{"name":"x","url":"https://a.example","secret":"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"#,
    #"{"name":"x","url":"https://a.example","kind":"queue"}"#,
    #"{"name":"x","url":"https://a.example","scope":"some"}"#,
    #"{"name":"x","url":"https://a.example","more":1}"#, #"{"name":"","url":"https://a.example"}"#,
  ])
  func `invalid connections are rejected`(_ json: String) async throws {
    try await withServer({ $0.connections = .members }) { server in
      try await server.json("POST", "/connections", json, token: try await server.signUp("ada"))
        .expect(422)
    }
  }

  @Test func `invalid mappings are rejected`() async throws {
    try await withServer({ $0.connections = .members }) { server in
      let ada = try await server.signUp("ada")
      let path = try await make(server, token: ada)
      for json in [
        "{}", #"{"events":[]}"#, #"{"events":["meme.liked"]}"#, #"{"events":"meme.created"}"#,
        #"{"events":[1]}"#, #"{"events":["report.created"]}"#, #"{"events":["user.created"]}"#,
        #"{"events":["meme.created"],"filter":{"author":"ada"}}"#,
        #"{"events":["meme.created"],"filter":{"visibility":"secret"}}"#,
        #"{"events":["meme.created"],"filter":{"tag":"two words"}}"#,
        #"{"events":["meme.created"],"filter":[]}"#,
        #"{"events":["meme.created"],"format":"xml"}"#,
        #"{"events":["meme.created"],"fields":["viewer"]}"#,
        #"{"events":["meme.created"],"format":"slack","fields":["top"]}"#,
      ] {
        try await server.json("POST", "\(path)/mappings", json, token: ada).expect(422)
      }
      for _ in 0..<20 {
        try await server.json(
          "POST", "\(path)/mappings", #"{"events":["meme.created"]}"#, token: ada
        ).expect(201)
      }
      try await server.json(
        "POST", "\(path)/mappings", #"{"events":["meme.created"]}"#, token: ada
      ).expect(409, problem: "too-many-mappings")
    }
  }

  @Test func `mappings are exported and imported, all or none`() async throws {
    try await withServer({ $0.connections = .members }) { server in
      let ada = try await server.signUp("ada")
      let path = try await make(server, token: ada)
      for events in [#"["meme.created"]"#, #"["like.created"]"#] {
        try await server.json("POST", "\(path)/mappings", #"{"events":\#(events)}"#, token: ada)
          .expect(201)
      }
      let export = try await server.get("\(path)/actions/export", token: ada).expect(200)
      #expect(export.json.version.int == 1 && export.json.mappings.elements.count == 2)
      let text = export.response.text
      // The same file changes nothing here, and adds two to another connection.
      let same = try await server.json("POST", "\(path)/actions/import", text, token: ada)
        .expect(200).json
      #expect(same.mappings.elements.count == 2)
      let other = try await make(server, token: ada)
      for _ in 0..<2 {
        let imported = try await server.json("POST", "\(other)/actions/import", text, token: ada)
          .expect(200).json
        #expect(imported.mappings.elements.count == 2)
      }
      // One of them is changed, another is added, the third stays.
      let id = export.json.mappings[0].id.text ?? ""
      let changed = try await server.json(
        "POST", "\(path)/actions/import",
        #"{"version":1,"mappings":[{"id":"\#(id)","events":["meme.deleted"]},{"events":["follow.created"]}]}"#,
        token: ada
      ).expect(200).json.mappings.elements
      #expect(
        changed.map { $0.events[0].text } == ["meme.deleted", "like.created", "follow.created"])
      let answer = try await server.json(
        "POST", "\(path)/actions/import",
        #"{"version":1,"mappings":[{"events":["meme.updated"]},{"events":["user.created"]}]}"#,
        token: ada)
      answer.expect(422)
      #expect(answer.json.errors[0].field.text == "mappings[1].events")
      #expect(
        try await server.get(path, token: ada).json.mappings.elements.count == 3)
      try await server.json(
        "POST", "\(path)/actions/import", #"{"version":2,"mappings":[]}"#, token: ada
      ).expect(422)
    }
  }

  @Test func `the signature is that of Standard Webhooks`() throws {
    let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330,
      body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }
}
