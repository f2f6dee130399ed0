import Bytes
import Crypto
import Eventually
import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

/// What receivers get.
struct EventDeliveryTests {
  private static let memes = #""events":["meme.created","meme.updated","meme.deleted"]"#

  @Test func `changes of a user's memes arrive in order and signed`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.memes, token: ada)
      let meme = try await server.make("private", top: "one does not", token: ada)
      try await server.json("PATCH", meme, #"{"top":"two"}"#, token: ada).expect(200)
      try await server.delete(meme, token: ada).expect(204)
      // Another user's memes are none of its business.
      _ = try await server.make(token: try await server.signUp("bob"))
      _ = try await server.make(token: ada)
      let all = try await receiver.first(4)
      #expect(all.map(\.type) == ["meme.created", "meme.updated", "meme.deleted", "meme.created"])
      #expect(Set(all.map(\.id)).count == 4)
      #expect(all[2].json.data.meme == .null && all[2].json.data.reloaded.flag == false)
      #expect("/memes/\(all[2].json.data.memeId.text ?? "")" == meme)
      #expect(all[3].json.data.meme.author.username.text == "ada")
      #expect(all[3].json.data.meme.image.url.text?.hasPrefix("http") == true)
      for delivery in all {
        #expect(delivery.headers["content-type"] == "application/json")
        #expect(delivery.headers["user-agent"] == "MemeMe")
        #expect(delivery.id.hasPrefix("msg_") && !delivery.id.contains("."))
        #expect(try Self.signatures(of: delivery, with: made.secret).count == 1)
      }
      #expect(receiver.connections == 1)
      try await eventually("the deliveries are counted") {
        let status = try await server.connection(made, token: ada)
        return status.delivered.int == 4 && status.lag.int == 0
          && status.state.text == "running"
      }
    }
  }

  @Test func `a claimed meme is created for the receiver of its new author`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.connect(to: receiver, Self.memes, token: ada)
      let made = try await server.upload(.moving, top: "x").expect(201)
      let (meme, token) = (
        try #require(made["location"]), try #require(made["meme-delete-token"])
      )
      try await server.json("POST", "\(meme)/claim", #"{"deleteToken":"\#(token)"}"#, token: ada)
        .expect(200)
      _ = try await receiver.first(1)
      try await server.delete(meme, token: ada).expect(204)
      #expect(try await receiver.first(2).map(\.type) == ["meme.created", "meme.deleted"])
    }
  }

  /// The valid signatures among those of a delivery, computed as the specification says.
  static func signatures(of delivery: WebhookReceiver.Delivery, with secret: JSON) throws
    -> [Substring]
  {
    let text = try #require(secret.text)
    let key = try #require(Base64.decode(String(text.dropFirst("whsec_".count))))
    let time = try #require(delivery.headers["webhook-timestamp"])
    let message = Array("\(delivery.id).\(time).".utf8) + delivery.body
    let valid = "v1,\(Base64.encode(HMACSHA256.code(for: message, key: key)))"
    return (delivery.headers["webhook-signature"] ?? "").split(separator: " ")
      .filter { $0 == valid }
  }

  @Test func `comments, likes and follows arrive with the people`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      _ = try await server.connect(
        to: receiver, #""events":["comment.created","like.created","follow.created"]"#, token: ada)
      let meme = try await server.make(token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"<b>nice</b>"}"#, token: bob)
        .expect(201)
      try await server.put("/users/ada/follow", token: bob).expect(204)
      let all = try await receiver.first(3)
      #expect(all.map(\.type) == ["like.created", "comment.created", "follow.created"])
      #expect(all[0].json.data.user.username.text == "bob")
      #expect(all[0].json.data.meme.counts.likes.int == 1)
      #expect(all[1].json.data.comment["text"].text == "<b>nice</b>")
      #expect(all[1].json.data.comment.author.username.text == "bob")
      #expect(all[2].json.data.follower.username.text == "bob")
      #expect(all[2].json.data.followed.username.text == "ada")
    }
  }

  @Test(arguments: ["json", "slack", "discord"])
  func `a person who has blocked the owner in the meantime is not named`(
    format: String
  ) async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let made = try await server.connect(
        to: receiver,
        #""events":["comment.created","like.created","follow.created"],"format":"\#(format)""#,
        token: ada)
      try await server.act("pause", on: made, token: ada).expect(200)
      let meme = try await server.make(token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"nice"}"#, token: bob)
        .expect(201)
      try await server.put("/users/ada/follow", token: bob).expect(204)
      try await server.put("/users/ada/block", token: bob).expect(204)
      try await server.json("PATCH", "/users/me", #"{"username":"robert"}"#, token: bob)
        .expect(200)
      try await server.act("resume", on: made, token: ada).expect(200)
      let all = try await receiver.first(3)
      for delivery in all {
        #expect(!String(decoding: delivery.body, as: UTF8.self).contains("robert"))
      }
      guard format == "json" else { return }
      #expect(all[0].json.data.user == .null && all[0].json.data.meme != .null)
      #expect(all[1].json.data.comment == .null)
      #expect(all[2].json.data.follower == .null)
      #expect(all[2].json.data.followed.username.text == "ada")
    }
  }

  @Test(arguments: ["json", "slack"])
  func `a person is not named with a meme that is gone`(format: String) async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let made = try await server.connect(
        to: receiver, #""events":["comment.created","like.created"],"format":"\#(format)""#,
        token: ada)
      try await server.act("pause", on: made, token: ada).expect(200)
      let meme = try await server.make(token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"nice"}"#, token: bob)
        .expect(201)
      try await server.delete(meme, token: ada).expect(204)
      try await server.act("resume", on: made, token: ada).expect(200)
      let all = try await receiver.first(2)
      for delivery in all {
        #expect(!String(decoding: delivery.body, as: UTF8.self).contains("bob"))
      }
      if format == "slack" { #expect(all[0].json["text"].text == "Someone liked a meme") }
    }
  }

  @Test func `a meme that begins or ceases to match is created or deleted`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.connect(
        to: receiver,
        "\(Self.memes),\"filter\":{\"visibility\":\"public\"},\"fields\":[\"top\",\"image\"]",
        token: ada)
      let meme = try await server.make("private", top: "secret", token: ada)
      for visibility in ["public", "friends", "public"] {
        try await server.json("PATCH", meme, #"{"visibility":"\#(visibility)"}"#, token: ada)
          .expect(200)
        // The data is that at the time of delivery.
        _ = try await receiver.first(visibility == "friends" ? 2 : 1)
      }
      try await server.delete(meme, token: ada).expect(204)
      try await server.restore(meme, token: ada).expect(200)
      let all = try await receiver.first(5)
      #expect(
        all.map(\.type) == [
          "meme.created", "meme.deleted", "meme.created", "meme.deleted", "meme.created",
        ])
      let first = all[0].json.data.meme
      #expect(first.top.text == "secret" && first.image.width.int != nil)
      #expect(first.id.text != nil && first.version.int != nil)
      #expect(first.author == .null && first.viewer == .null && first.original == .null)
    }
  }

  @Test func `a mapping with a tag gets the events of memes with the tag`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      _ = try await server.connect(
        to: receiver,
        #""events":["meme.created","meme.deleted","like.created"],"filter":{"tag":"cat"}"#,
        token: ada)
      func make(_ tags: String) async throws -> String {
        let meme = try await server.post(
          [.field("tags", tags), .file("image", try Fixture.photo.bytes)], token: ada)
        return try #require(meme.expect(201)["location"])
      }
      // A tag that only begins like it is another one.
      let other = try await make("catnip,black-cat,dog")
      let meme = try await make("dog,cat")
      for liked in [other, meme] {
        try await server.put("\(liked)/like", token: bob).expect(204)
        _ = try await receiver.first(liked == other ? 1 : 2)
      }
      try await server.json("PATCH", meme, #"{"tags":["dog"]}"#, token: ada).expect(200)
      try await server.json("PATCH", other, #"{"tags":["cat"]}"#, token: ada).expect(200)
      try await server.delete(other, token: ada).expect(204)
      let all = try await receiver.first(5)
      #expect(
        Set(all.map { "\($0.type ?? "") \($0.json.data.memeId.text ?? "")" })
          == Set([
            "meme.created \(id(meme))", "like.created \(id(meme))", "meme.deleted \(id(meme))",
            "meme.created \(id(other))", "meme.deleted \(id(other))",
          ]))
    }
  }

  @Test func `a meme that has lost the tag is not sent`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(
        to: receiver, #""events":["meme.created","meme.deleted"],"filter":{"tag":"cat"}"#,
        token: ada)
      func act(_ action: String) async throws {
        try await server.send(
          "POST", "/connections/\(made.id.text ?? "")/actions/\(action)",
          headers: [("Authorization", "Bearer \(ada)")]
        ).expect(200)
      }
      try await act("pause")
      let meme = try await server.post(
        [.field("tags", "cat"), .file("image", try Fixture.photo.bytes)], token: ada
      ).expect(201)
      try await server.json(
        "PATCH", try #require(meme["location"]), #"{"tags":[]}"#, token: ada
      ).expect(200)
      try await act("resume")
      let all = try await receiver.first(2)
      #expect(all.map(\.type) == ["meme.created", "meme.deleted"])
      #expect(all.allSatisfy { $0.json.data.meme == .null })
    }
  }

  @Test func `waiting events of kinds that a mapping no longer has are not sent`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let made = try await server.connect(
        to: receiver, #""events":["meme.created","like.created"]"#, token: ada)
      try await server.act("pause", on: made, token: ada).expect(200)
      let meme = try await server.make(token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      let mapping = try await server.connection(made, token: ada).mappings[0].id.text ?? ""
      try await server.send(
        "POST", "/mappings/\(mapping)/actions/reload",
        headers: [("Authorization", "Bearer \(ada)")]
      ).expect(202)
      try await server.json(
        "PUT", "/mappings/\(mapping)", #"{"events":["like.created"]}"#, token: ada
      ).expect(200)
      let waiting = try await server.connection(made, token: ada)
      #expect(waiting.lag.int == 1 && waiting.mappingsState.text == "active")
      try await server.act("resume", on: made, token: ada).expect(200)
      #expect(try await receiver.first(1).map(\.type) == ["like.created"])
    }
  }

  @Test func `a deleted mapping sends no events that were read before`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let made = try await server.connect(to: receiver, Self.memes, token: ada)
      try await server.act("pause", on: made, token: ada).expect(200)
      var meme = ""
      for _ in 0..<6 { meme = try await server.make(token: ada) }
      try await server.act("resume", on: made, token: ada).expect(200)
      // The others follow, one a second.
      _ = try await receiver.first(1)
      let mapping = try await server.connection(made, token: ada).mappings[0].id.text ?? ""
      try await server.delete("/mappings/\(mapping)", token: ada).expect(204)
      try await server.json(
        "POST", "/connections/\(made.id.text ?? "")/mappings", #"{"events":["like.created"]}"#,
        token: ada
      ).expect(201)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await eventually("the like arrives") { receiver.deliveries.last?.type == "like.created" }
      #expect(receiver.deliveries.count < 7)
    }
  }

  private func id(_ meme: String) -> String { String(meme.dropFirst("/memes/".count)) }

  @Test func `admins receive what everyone sees, reports and accounts`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({
      try $0.sendEvents()
      $0.connections = .admins
    }) { server in
      let root = try await server.signUpAdmin()
      let made = try await server.connect(
        to: receiver, #""events":["meme.created","report.created","user.created"]"#, scope: "all",
        token: root)
      let ada = try await server.signUp("ada")
      _ = try await server.make("private", token: ada)
      _ = try await server.make("friends", token: ada)
      let meme = try await server.make("public", token: ada)
      try await server.json("POST", "\(meme)/reports", #"{"reason":"spam"}"#, token: ada)
        .expect(201)
      let all = try await receiver.first(3)
      #expect(all.map(\.type) == ["user.created", "meme.created", "report.created"])
      #expect(all[0].json.data.user.username.text == "ada")
      #expect(all[0].json.data.user.email == .null)
      #expect("/memes/\(all[1].json.data.memeId.text ?? "")" == meme)
      #expect(all[1].json.data.meme.visibility.text == "public")
      #expect(all[2].json.data.report.reason.text == "spam")

      // Without the role, nothing is delivered any longer.
      try await server.give("member", to: "root_cat")
      _ = try await server.make("public", token: ada)
      try await server.give("admin", to: "root_cat")
      // The sender may have looked only after that.
      try await eventually("the connection stopped, or the meme arrived") {
        let state = try await server.connection(made, token: root).state.text
        return state == "stopped" || receiver.deliveries.count == 4
      }
    }
  }

  @Test func `a former admin's connection is stopped`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({
      try $0.sendEvents()
      $0.connections = .admins
    }) { server in
      let root = try await server.signUpAdmin()
      let made = try await server.connect(to: receiver, Self.memes, scope: "all", token: root)
      try await server.give("member", to: "root_cat")
      _ = try await server.make("public")
      try await eventually("the server logs the stop") {
        try server.log.contains("connection stopped")
      }
      try await server.get("/connections", token: root).expect(403)
      try await server.give("admin", to: "root_cat")
      let status = try await server.connection(made, token: root)
      #expect(status.state.text == "stopped" && receiver.deliveries.isEmpty)
      // The waiting event is delivered after a restart.
      try await server.act("restart", on: made, token: root).expect(200)
      #expect(try await receiver.first(1).map(\.type) == ["meme.created"])
    }
  }

  @Test func `a suspended owner's connection waits`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, #""events":["like.created"]"#, token: ada)
      let meme = try await server.make(token: ada)
      try await server.suspend("ada").expect(204)
      try await server.put("\(meme)/like", token: try await server.signUp("bob")).expect(204)
      let other = try WebhookReceiver()
      _ = try await server.connect(
        to: other, #""events":["meme.created"]"#, token: try await server.signUp("eve"))
      _ = try await server.make(token: try await server.token("eve"))
      _ = try await other.first(1)
      #expect(receiver.deliveries.isEmpty)
      try await server.delete("/admin/users/ada/suspension", token: server.adminToken).expect(204)
      _ = try await receiver.first(1)
      #expect(made.secret.text != nil)
    }
  }

  @Test func `all memes can be sent again`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      var memes: [String] = []
      for _ in 0..<3 { memes.append(try await server.make(token: ada)) }
      _ = try await server.make(token: try await server.signUp("bob"))
      let made = try await server.connect(to: receiver, Self.memes, token: ada)
      let mapping = try await server.connection(made, token: ada).mappings[0].id.text ?? ""
      let reload = try await server.send(
        "POST", "/mappings/\(mapping)/actions/reload",
        headers: [("Authorization", "Bearer \(ada)")]
      ).expect(202)
      #expect(reload.json.state.text == "reloading")
      let all = try await receiver.first(3)
      #expect(all.map { "/memes/\($0.json.data.memeId.text ?? "")" } == memes)
      #expect(all.allSatisfy { $0.json.data.reloaded.flag == true })
      try await eventually("the reload ends") {
        try await server.connection(made, token: ada).mappingsState.text == "active"
      }
      #expect(receiver.deliveries.count == 3)
    }
  }
}
