import Foundation
import Support
import Testing
import Wire

/// URLs and changes that refer to one version of a meme.
struct VersionTests {
  private static let immutable = "public, max-age=31536000, s-maxage=3600, immutable"

  @Test func `URLs in the JSON name the version and are cacheable for a year`() async throws {
    try await withServer { server in
      let created = try await server.upload(top: "x").expect(201)
      let url = try #require(created["location"])
      let row = try await server.get("/memes?view=table").json.items[0]
      let cell = try await server.get("/memes?view=grid").json.items[0]
      for meme in [created.json, try await server.get(url).json] {
        #expect(meme.image.url.text == "\(url)/image?v=1")
        #expect(meme.thumbnails.table.url.text == "\(url)/thumbnail?view=table&v=1")
        #expect(meme.thumbnails.grid.url.text == "\(url)/thumbnail?view=grid&v=1")
        #expect(row.thumbnail.url == meme.thumbnails.table.url)
        #expect(cell.thumbnail.url == meme.thumbnails.grid.url)
        for address in [meme.image.url, meme.thumbnails.table.url, meme.thumbnails.grid.url] {
          let versioned = try #require(address.text)
          let answer = try await server.get(versioned).expect(200)
          #expect(answer["cache-control"] == Self.immutable)
          let unversioned = versioned.replacing(/[?&]v=1/, with: "")
          let current = try await server.get(unversioned).expect(200)
          #expect(current["cache-control"] == "public, no-cache")
          #expect(current.response.body == answer.response.body)
          #expect(current["etag"] == answer["etag"])
        }
      }
      let original = try await server.get(url, token: server.adminToken).json.original.url.text
      #expect(original == "\(url)/original")
      let answer = try await server.get("\(url)/original", token: server.adminToken).expect(200)
      #expect(answer["cache-control"] == "private, no-cache")
    }
  }

  @Test func `after an edit the old URLs are gone and the new ones work`() async throws {
    try await withDataFolder { folder in
      var url = ""
      try await withServer(in: folder) { server in
        url = try #require(try await server.upload(.moving).expect(201)["location"])
      }
      try await editDatabase(in: folder, "UPDATE memes SET version = 2")
      try await withServer(in: folder) { server in
        let meme = try await server.get(url).expect(200)
        #expect(meme.json.image.url.text == "\(url)/image?v=2")
        #expect(meme["etag"]?.hasPrefix("\"2.") == true)
        for path in ["/image?v=", "/thumbnail?view=grid&v=", "/thumbnail?view=table&v="] {
          let old = try await server.get("\(url)\(path)1").expect(410, problem: "gone")
          #expect(old.json.detail.text?.contains("edited") == true)
          #expect(old["cache-control"] == "no-store")
          #expect(try await server.get("\(url)\(path)2")["cache-control"] == Self.immutable)
          for never in [3, Int.max] {
            try await server.get("\(url)\(path)\(never)").expect(404, problem: "not-found")
          }
        }
        try await server.delete(url, token: server.adminToken).expect(204)
        let deleted = try await server.get("\(url)/image?v=2").expect(410, problem: "gone")
        #expect(deleted.json.detail.text?.contains("deleted") == true)
      }
    }
  }

  @Test func `an invalid version is 422`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      for (version, code) in [
        ("", "not-a-number"), ("x", "not-a-number"), ("1.5", "not-a-number"),
        ("+1", "not-a-number"), ("99999999999999999999", "not-a-number"), ("0", "out-of-range"),
        ("-1", "out-of-range"),
      ] {
        for path in ["/image?v=", "/thumbnail?v="] {
          try await server.get("\(url)\(path)\(version)").expect(
            422, problem: "invalid-input", fields: ["v \(code)"])
        }
      }
      try await server.get("\(url)/image?v=1&v=1&w=2").expect(
        422, problem: "invalid-input", fields: ["v duplicate", "w unknown-field"])
      try await server.get("\(url)/original?v=1", token: server.adminToken).expect(422)
      try await server.get("\(url)?v=1").expect(422)
    }
  }

  @Test func `a version of an unknown meme is 404`() async throws {
    try await withServer { server in
      let url = "/memes/01234567-89ab-7def-8123-456789abcdef"
      try await server.get("\(url)/image?v=1").expect(404, problem: "not-found")
    }
  }

  @Test func `a deletion with another version in If-Match does nothing`() async throws {
    try await withServer { server in
      let created = try await server.upload(.moving).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      func delete(_ tags: String, token: String = token) async throws -> Answer {
        try await server.send(
          "DELETE", url, headers: [("Authorization", "Bearer \(token)"), ("If-Match", tags)])
      }
      for tags in [
        "\"2\"", "\"2.abc\"", "W/\"1\"", "W/\"1.abc\"", "\"\"", "\"01\"", "\"+1\"", "\".1\"",
        "\"99999999999999999999\"", "\"2\", W/\"1\"", "\"a\"",
      ] {
        try await delete(tags).expect(412, problem: "precondition-failed")
      }
      for tags in ["1", "", "\"1", "*, \"1\"", "1.abc"] {
        try await delete(tags).expect(400, problem: "malformed-request")
      }
      // A caller without the right to delete learns nothing about the version.
      for tags in ["\"1\"", "\"2\""] {
        try await delete(tags, token: "wrong").expect(401, problem: "unauthorized")
      }
      try await server.get(url).expect(200)
      try await delete("\"7\", \"1\"").expect(204)
      try await delete("\"2\"").expect(410, problem: "gone")
      try await delete("*").expect(410, problem: "gone")
    }
  }

  @Test func `a deletion accepts the ETag, the version alone or a star`() async throws {
    try await withServer { server in
      for tags in ["tag", "\"1\"", "*", "\"1.of-another-viewer\""] {
        let created = try await server.upload(.moving).expect(201)
        let url = try #require(created["location"])
        // The ETag of the creation is that of the JSON with the delete token.
        let tag = try #require(created["etag"])
        try await server.send(
          "DELETE", url,
          headers: [
            ("Authorization", "Bearer \(server.adminToken)"),
            ("If-Match", tags == "tag" ? tag : tags),
          ]
        ).expect(204)
        try await server.get(url).expect(410, problem: "gone")
      }
      try await server.send(
        "DELETE", "/memes/01234567-89ab-7def-8123-456789abcdef",
        headers: [("Authorization", "Bearer \(server.adminToken)"), ("If-Match", "*")]
      ).expect(404, problem: "not-found")
    }
  }
}
