import Bytes
import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

@testable import SQL
@testable import SQLite

/// `mememe check` on pictures other than a meme's own four.
struct CheckPicturesTests {
  @Test(arguments: [
    ("", []),
    (
      "UPDATE derived_pictures SET digest = zeroblob(32)",
      ["wrong-digest meme=ID picture=derived-128-webp: "]
    ),
    (
      "UPDATE derived_pictures SET height = 1",
      ["wrong-size meme=ID picture=derived-128-webp: size is 128×96, expected 128×1"]
    ),
    (
      "DELETE FROM blobs WHERE id = (SELECT blob FROM derived_pictures)",
      [
        "missing-blob meme=ID picture=derived-128-webp: ",
        "broken-reference table=derived_pictures: rows that refer to missing rows of blobs: 1",
      ]
    ),
    (
      "DROP TRIGGER derived_removed; DELETE FROM derived_pictures",
      [
        "orphan-blob blob=5: ", "wrong-count table=totals column=derived: ",
        "wrong-count table=totals column=derived_bytes: ",
      ]
    ),
  ])
  func `derived pictures are checked too`(
    sql: String, expected: [String]
  ) async throws {
    try await withFolder { folder in
      var id = ""
      try await withServer(in: folder.url) { server in
        id = try #require(try await server.upload(.photo).expect(201).json.id.text)
        try await server.get("/memes/\(id)/image?width=100&format=webp").expect(200)
      }
      try folder.execute(sql)
      let (code, lines) = try await folder.check()
      #expect(code == (expected.isEmpty ? 0 : 1))
      #expect(lines.count == expected.count + 1, "\(lines)")
      for text in expected.map({ $0.replacing("ID", with: id) }) {
        #expect(lines.contains { $0.hasPrefix(text) }, "\(lines)")
      }
      if expected.isEmpty {
        #expect(lines.last?.contains(" 5 pictures with ") == true)
        #expect(lines.last?.hasSuffix(" bytes, 5 blobs in \(folder.url.path): no damage") == true)
      }
    }
  }

  @Test func `an upload passes unchanged, and damage is reported with its row`() async throws {
    try await withFolder { folder in
      var id = ""
      try await withServer(in: folder.url) { server in
        // The server decodes only the header of an upload.
        let cut = Array(try Fixture.photo.bytes.dropLast(5000))
        id = try #require(try await server.sendAhead(cut).expect(201).json.id.text)
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0)
      #expect(
        lines[0].hasPrefix(
          "checked 0 memes (0 in the trash), 1 uploads (0 more unfinished), 0 templates, 0 avatars, 1 pictures "
        ))
      let whole = try Data(contentsOf: folder.database)
      for (sql, expected) in [
        ("UPDATE uploads SET digest = zeroblob(32)", ["wrong-digest upload-row=1: "]),
        (
          "UPDATE uploads SET byte_count = 1",
          ["wrong-length upload-row=1: ", "wrong-count table=totals column=upload_bytes: "]
        ),
        ("DELETE FROM uploads", ["orphan-blob blob=1: "]),
        (
          "DELETE FROM blobs",
          ["broken-reference table=uploads: ", "missing-blob upload-row=1: "]
        ),
      ] {
        let lines = try await expectFindings(expected, after: sql, in: whole)
        #expect(lines.count == expected.count + 1, "\(lines)")
        #expect(!lines.contains { $0.contains(id) })
      }
    }
  }

  @Test func `all three sizes of an avatar are checked`() async throws {
    try await withFolder { folder in
      try await withServer(in: folder.url) { server in
        let token = try await server.signUp("ada")
        try await server.send(
          "PUT", "/users/me/avatar", headers: [("Authorization", "Bearer \(token)")],
          body: try Fixture.photo.bytes
        ).expect(200)
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0)
      #expect(
        lines[0].hasPrefix(
          "checked 0 memes (0 in the trash), 0 uploads (0 more unfinished), 0 templates, 1 avatars, 3 pictures "
        ))
      let whole = try Data(contentsOf: folder.database)
      for (sql, expected) in [
        (
          "UPDATE avatars SET digest = zeroblob(32) WHERE edge = 64",
          ["wrong-digest avatar-row=1 picture=64: "]
        ),
        (
          "UPDATE avatars SET width = 8, height = 8 WHERE edge = 512",
          ["wrong-size avatar-row=1 picture=512: "]
        ),
        (
          "DROP TRIGGER avatar_removed; DELETE FROM avatars WHERE edge = 192",
          ["missing-picture avatar-row=1 picture=192: ", "orphan-blob blob="]
        ),
      ] {
        let lines = try await expectFindings(expected, after: sql, in: whole)
        #expect(lines.count == expected.count + 1, "\(lines)")
      }
    }
  }

  @Test func `both pictures of a template are checked`() async throws {
    try await withFolder { folder in
      var id = ""
      try await withServer(in: folder.url) { server in
        let created = try await server.post(
          to: "/templates", [.file("image", try Fixture.photo.bytes), .field("name", "x")])
        id = try #require(created.expect(201).json.id.text)
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0)
      #expect(
        lines[0].hasPrefix(
          "checked 0 memes (0 in the trash), 0 uploads (0 more unfinished), 1 templates, 0 avatars, 2 pictures "
        ))
      let whole = try Data(contentsOf: folder.database)
      for (sql, expected) in [
        (
          "UPDATE templates SET digest = zeroblob(32)",
          ["wrong-digest template=\(id) picture=image: "]
        ),
        (
          "UPDATE templates SET thumbnail_width = 1",
          ["wrong-size template=\(id) picture=thumbnail: "]
        ),
        (
          "PRAGMA ignore_check_constraints = ON; UPDATE templates SET digest = x'00'",
          ["unreadable-row template-row=1: "]
        ),
        ("DELETE FROM templates", ["orphan-blob blob=1: ", "orphan-blob blob=2: "]),
        (
          "DELETE FROM blobs WHERE id = 2",
          [
            "broken-reference table=templates: ", "missing-blob template=\(id) picture=thumbnail: ",
          ]
        ),
      ] {
        try await expectFindings(expected, after: sql, in: whole)
      }
    }
  }
}
