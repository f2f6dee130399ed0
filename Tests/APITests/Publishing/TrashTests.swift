import Eventually
import Foundation
import Memes
import Support
import Synchronization
import Testing
import Wire
import mememe

struct TrashTests {
  private static let paths = ["", "/image", "/thumbnail", "/thumbnail?view=table"]

  @Test func `a deleted meme is gone everywhere, and is restored unchanged`() async throws {
    try await withServer { server in
      var created: [Answer] = []
      for caption in ["a", "b", "c"] {
        created.append(try await server.upload(top: caption).expect(201))
      }
      let url = try #require(created[1]["location"])
      let token = try #require(created[1]["meme-delete-token"])
      let before = try await server.get(url, token: token).expect(200)
      let list = try await server.get("/memes").expect(200)
      let pictures = try await pictures(of: url, server)

      try await server.delete(url, token: token).expect(204)
      for path in Self.paths { try await server.get(url + path).expect(410, problem: "gone") }
      try await server.get("\(url)/original", token: token).expect(410, problem: "gone")
      for view in ["full", "table", "grid"] {
        let items = try await server.get("/memes?view=\(view)").expect(200).json.items.elements
        #expect(items.count == 2)
        #expect(!items.contains { $0.id == before.json.id })
      }

      let restored = try await server.restore(url, token: token).expect(200)
      #expect(restored.response.body == before.response.body)
      #expect(restored["etag"] == before["etag"])
      #expect(restored.json.version.int == 1)
      #expect(try await server.get("/memes").response.body == list.response.body)
      #expect(try await self.pictures(of: url, server) == pictures)
    }
  }

  private func pictures(of url: String, _ server: TestServer) async throws -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    for path in Self.paths { bodies.append(try await server.get(url + path).response.body) }
    return bodies
  }

  @Test func `only those who may delete a meme may restore it`() async throws {
    try await withServer { server in
      let answer = try await server.upload().expect(201)
      let other = try await server.upload().expect(201)
      let url = try #require(answer["location"])
      try await server.delete(url, token: answer["meme-delete-token"]).expect(204)
      try await server.restore(url).expect(401, problem: "unauthorized")
      for wrong in [try #require(other["meme-delete-token"]), "x"] {
        try await server.restore(url, token: wrong).expect(401, problem: "unauthorized")
      }
      try await server.get(url).expect(410, problem: "gone")
      let restored = try await server.restore(url, token: server.adminToken).expect(200)
      #expect(restored.json.original.sha256.text?.count == 64)
      #expect(restored["meme-delete-token"] == nil)
    }
  }

  @Test(arguments: [true, false])
  func `only admins restore what an admin deleted`(atOnce: Bool) async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let admin = try await server.signUpAdmin()
      let anonymous = try await server.upload().expect(201)
      let urls = [try await server.make(token: ada), try #require(anonymous["location"])]
      let owners = [ada, try #require(anonymous["meme-delete-token"])]
      if atOnce {
        try await server.delete("/memes?before=2999-01-01T00:00:00Z", token: server.adminToken)
          .expect(200)
      } else {
        for url in urls { try await server.delete(url, token: admin).expect(204) }
      }
      for (url, owner) in zip(urls, owners) {
        for _ in 0..<2 { try await server.restore(url, token: owner).expect(410, problem: "gone") }
        try await server.get(url, token: owner).expect(410)
        try await server.restore(url, token: admin).expect(200)
        // After that, its owner can delete and restore it as usual.
        try await server.delete(url, token: owner).expect(204)
        try await server.restore(url, token: owner).expect(200)
      }
      // An owner's deletion becomes an admin's deletion if an admin deletes the meme too.
      for (url, owner) in zip(urls, owners) {
        try await server.delete(url, token: owner).expect(204)
        try await server.delete(url, token: owner).expect(410)
        try await server.delete(url, token: admin).expect(204)
        try await server.delete(url, token: admin).expect(410, problem: "gone")
        try await server.restore(url, token: owner).expect(410, problem: "gone")
        try await server.restore(url, token: admin).expect(200)
      }
      let own = try await server.make(token: admin)
      try await server.delete(own, token: admin).expect(204)
      try await server.give("member", to: "root_cat")
      try await server.restore(own, token: admin).expect(200)
    }
  }

  @Test func `restoring a meme that is not deleted changes nothing; an unknown one is 404`()
    async throws
  {
    try await withServer { server in
      let answer = try await server.upload().expect(201)
      let url = try #require(answer["location"])
      let token = answer["meme-delete-token"]
      let detail = try await server.get(url, token: token)
      for _ in 0..<2 {
        let restored = try await server.restore(url, token: token).expect(200)
        #expect(restored["etag"] == detail["etag"])
      }
      for unknown in ["/memes/01234567-89ab-7def-8123-456789abcdef", "/memes/x"] {
        try await server.restore(unknown, token: server.adminToken)
          .expect(404, problem: "not-found")
      }
      try await server.send(
        "POST", "\(url)/restore?x=1", headers: [("Authorization", "Bearer \(server.adminToken)")]
      ).expect(422, problem: "invalid-input", fields: ["x unknown-field"])
    }
  }

  @Test func `the id of a deleted meme stays taken`() async throws {
    try await withServer { server in
      let id = ["id": "01234567-89ab-4def-8123-456789abcdef"]
      let answer = try await server.upload(top: "x", id).expect(201)
      let url = try #require(answer["location"])
      try await server.delete(url, token: answer["meme-delete-token"]).expect(204)
      for top in ["x", "y"] { try await server.upload(top: top, id).expect(410, problem: "gone") }
      try await server.restore(url, token: answer["meme-delete-token"]).expect(200)
      try await server.upload(top: "x", id).expect(200)
      try await server.upload(top: "y", id).expect(409, problem: "id-taken")
    }
  }

  @Test func `without a trash a deletion is permanent and frees the bytes`() async throws {
    try await withServer({ $0.trashDays = 0 }) { server in
      let answer = try await server.upload().expect(201)
      let url = try #require(answer["location"])
      try await server.delete(url, token: answer["meme-delete-token"]).expect(204)
      try await server.restore(url, token: server.adminToken).expect(410, problem: "gone")
      try await server.get(url).expect(410, problem: "gone")
      let (_, output) = try await ServerProcess.run([
        "check", "--decode", "--data", server.folder.path,
      ])
      #expect(
        output.hasPrefix(
          "checked 0 memes (0 in the trash), 0 uploads (0 more unfinished), 0 templates, 0 avatars, 0 pictures with 0 bytes, 0 blobs"
        ))
    }
  }

  @Test func `an expired meme cannot be restored, and the next start purges it`() async throws {
    try await withDataFolder { folder in
      let clock = TestClock()
      var (first, second) = ("", "")
      try await withServer(in: folder, now: clock.now) { server in
        first = try #require(try await server.upload().expect(201)["location"])
        second = try #require(try await server.upload().expect(201)["location"])
        try await server.delete(first, token: server.adminToken).expect(204)
        clock.advance(days: 6)
        try await server.delete(second, token: server.adminToken).expect(204)
        try await server.restore(first, token: server.adminToken).expect(200)
        try await server.delete(first, token: server.adminToken).expect(204)
        clock.advance(days: 7)
        try await server.restore(first, token: server.adminToken).expect(410, problem: "gone")
        clock.advance(days: -1)
        try await server.restore(second, token: server.adminToken).expect(200)
        clock.advance(days: 1)
      }
      try await withServer(in: folder, now: clock.now) { server in
        try await eventually("the trash is emptied") {
          try server.log.contains("trash emptied memes=1")
        }
        try await server.get(first).expect(410, problem: "gone")
        try await server.restore(first, token: server.adminToken).expect(410, problem: "gone")
        try await server.get(second).expect(200)
      }
    }
  }
}

/// A clock that stands still until a test advances it.
private final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_790_000_000_000)

  var now: @Sendable () -> Timestamp {
    { Timestamp(millisecondsSince1970: self.milliseconds.withLock { $0 }) }
  }

  func advance(days: Int64) { milliseconds.withLock { $0 += days * 86_400_000 } }
}
