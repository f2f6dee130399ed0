import Eventually
import Foundation
import Memes
import Support
import Testing
import Wire

@testable import Storage

/// `mememe check --repair`: the damage that it repairs, and the damage that it leaves.
struct RepairTests {
  @Test func `an intact folder needs no repair and stays unchanged`() async throws {
    try await withMemes { folder, _, _ in
      let before = try Data(contentsOf: folder.database)
      let (code, lines) = try await folder.repair()
      #expect(code == 0 && lines.count == 1 && lines[0].hasSuffix(": no damage"))
      #expect(try Data(contentsOf: folder.database) == before)
    }
  }

  @Test func `a repair next to a running server is rejected`() async throws {
    try await withServer { server in
      let (code, output) = try await ServerProcess.run(
        ["check", "--decode", "--repair", "--data", server.folder.path])
      #expect(code == 2 && output.contains("another server (process "), "\(output)")
    }
  }

  /// The role of a picture, the SQL that damages it, and the meme's version after the repair.
  private static let pictures: [(role: Int, sql: String, version: Int)] = [
    (1, "DELETE FROM blobs WHERE id = (SELECT blob FROM pictures WHERE meme = 1 AND role = 1)", 1),
    (3, "UPDATE pictures SET width = width + 1 WHERE meme = 1 AND role = 3", 1),
    (1, "UPDATE pictures SET format = 'png' WHERE meme = 1 AND role = 1", 1),
    (2, "UPDATE pictures SET byte_count = 1 WHERE meme = 1 AND role = 2", 1),
    (2, "UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE id = 3", 1),
    (0, "UPDATE pictures SET width = 1, format = 'png' WHERE meme = 1 AND role = 0", 1),
    // The row's digest is lost, so the new file may differ from the one at the old URL.
    (3, "DELETE FROM pictures WHERE meme = 1 AND role = 3", 2),
    (1, "UPDATE pictures SET digest = zeroblob(32) WHERE meme = 1 AND role = 1", 2),
  ]

  @Test func `a meme's pictures are rendered again, and changed ones get a new version`()
    async throws
  {
    try await withMemes { folder, id, _ in
      let whole = try Data(contentsOf: folder.database)
      var before: [[UInt8]] = []
      for role in 0..<4 { before.append(try folder.blob(ofMeme: 1, role: role)) }
      for (role, sql, version) in Self.pictures {
        try await withFolder { copy in
          try whole.write(to: copy.database)
          try copy.execute(sql)
          let (found, dry) = try await copy.check()
          #expect(found == 1 && dry.contains { $0.contains("(can be repaired: ") }, "\(dry)")
          let (code, lines) = try await copy.repair()
          #expect(code == 0, "\(sql): \(lines)")
          #expect(lines.contains { $0.hasPrefix("repaired meme=\(id) picture=") }, "\(lines)")
          #expect(try copy.blob(ofMeme: 1, role: role) == before[role], "\(sql)")
          try await withServer(in: copy.url) { server in
            let meme = try await server.get("/memes/\(id)").expect(200).json
            #expect(meme.version.int == version, "\(sql)")
            let served = try await server.get("/memes/\(id)/image?v=\(version)").expect(200)
            #expect(served.response.body == before[1])
            if version > 1 { try await server.get("/memes/\(id)/image?v=1").expect(410) }
          }
        }
      }
    }
  }

  @Test func `a meme with pictures in boxes is rendered from all of them, or not at all`()
    async throws
  {
    try await withFolder { folder in
      try await withServer(in: folder.url) { server in
        let sticker =
          try await server.post(
            to: "/templates", [.file("image", try Fixture.transparent.bytes), .field("name", "x")]
          ).expect(201).json.id.text ?? ""
        let pictures =
          #"[{"template": "\#(sticker)", "x": 0, "y": 0.1, "width": 0.5, "height": 0.25}]"#
        try await server.post([
          .field("pictures", pictures), .file("image", try Fixture.photo.bytes),
        ]).expect(201)
      }
      try await eventually("the lock is free") { try !DataFolder.isInUse(at: folder.url.path) }
      let image = try folder.blob(ofMeme: 1, role: 1)
      #expect(try await folder.check().code == 0)
      func damage(_ roles: String) throws {
        try folder.execute(
          """
          UPDATE blobs SET bytes = zeroblob(length(bytes))
          WHERE id IN (SELECT blob FROM pictures WHERE meme = 1 AND role IN (\(roles)))
          """)
      }
      try damage("1, 3")
      let (code, lines) = try await folder.repair()
      #expect(code == 0, "\(lines)")
      #expect(try folder.blob(ofMeme: 1, role: 1) == image)
      // The row is repaired from the picture. A picture without a box is removed.
      try folder.execute("UPDATE pictures SET width = 1, format = 'webp' WHERE role = 4")
      try folder.execute(
        """
        INSERT INTO blobs (id, bytes) SELECT 99, bytes FROM blobs
        WHERE id = (SELECT blob FROM pictures WHERE role = 4)
        """)
      try folder.execute(
        """
        INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
        SELECT meme, 6, 'png', height, height, byte_count, digest, 99 FROM pictures WHERE role = 4
        """)
      let (_, found) = try await folder.check()
      #expect(
        found.contains { $0.hasPrefix("surplus-picture ") && $0.contains("picture=boxed-3: ") },
        "\(found)")
      #expect(try await folder.repair().code == 0)
      #expect(try await folder.check().code == 0)
      try damage("3, 4")
      let (partly, left) = try await folder.repair()
      #expect(partly == 1 && left.contains { $0.contains("picture=boxed-1: ") }, "\(left)")
      #expect(try folder.blob(ofMeme: 1, role: 1) == image)
      try folder.execute("DELETE FROM pictures WHERE role = 4")
      let (_, missing) = try await folder.check()
      #expect(
        missing.contains { $0.hasPrefix("missing-picture ") && $0.contains("picture=boxed-1: ") },
        "\(missing)")
    }
  }

  @Test func `if the original is damaged too, thumbnails are made from the image`() async throws {
    try await withMemes { folder, id, _ in
      let image = try folder.blob(ofMeme: 1, role: 1)
      try folder.execute(
        """
        UPDATE blobs SET bytes = zeroblob(length(bytes))
        WHERE id IN (SELECT blob FROM pictures WHERE meme = 1 AND role IN (0, 2, 3))
        """)
      let (code, lines) = try await folder.repair()
      #expect(code == 1)
      #expect(lines.last?.hasSuffix(": 1 finding") == true, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("wrong-digest meme=\(id) picture=original: ") })
      #expect(lines.contains { $0.contains("rendered table-thumbnail, grid-thumbnail again") })
      #expect(try folder.blob(ofMeme: 1, role: 1) == image)
      try await withServer(in: folder.url) { server in
        let small = try await server.get("/memes/\(id)/thumbnail?view=grid").expect(200)
        #expect(try meanDifference(small.response.body, image) < 3)
      }
    }
  }

  @Test func `if the original and the image are damaged, nothing is repaired`() async throws {
    try await withMemes { folder, id, _ in
      try folder.execute(
        """
        UPDATE blobs SET bytes = zeroblob(length(bytes))
        WHERE id IN (SELECT blob FROM pictures WHERE meme = 1 AND role < 3)
        """)
      let before = try Data(contentsOf: folder.database)
      let (code, lines) = try await folder.repair()
      #expect(code == 1 && lines.count == 4, "\(lines)")
      #expect(lines.last?.hasSuffix(": 3 findings") == true)
      #expect(try Data(contentsOf: folder.database) == before)
    }
  }

  @Test func `a damaged derived picture is removed and rendered on request`() async throws {
    try await withFolder { folder in
      var (id, good): (String, [UInt8]) = ("", [])
      try await withServer(in: folder.url) { server in
        id = try #require(try await server.upload().expect(201).json.id.text)
        good = try await server.get("/memes/\(id)/image?width=200").expect(200).response.body
      }
      try folder.execute(
        "UPDATE blobs SET bytes = x'00' WHERE id = (SELECT blob FROM derived_pictures)")
      let (code, lines) = try await folder.repair()
      #expect(code == 0, "\(lines)")
      #expect(lines.contains { $0.contains("removed; regenerated on request") })
      try await withServer(in: folder.url) { server in
        let again = try await server.get("/memes/\(id)/image?width=200").expect(200)
        #expect(again.response.body == good)
      }
    }
  }

  @Test func `smaller avatars and template thumbnails are rendered again`() async throws {
    try await withFolder { folder in
      var template = ""
      try await withServer(in: folder.url) { server in
        let token = try await server.signUp("ada")
        try await server.send(
          "PUT", "/users/me/avatar", headers: [("Authorization", "Bearer \(token)")],
          body: try Fixture.photo.bytes
        ).expect(200)
        let created = try await server.post(
          to: "/templates", [.file("image", try Fixture.photo.bytes), .field("name", "x")])
        template = try #require(created.expect(201).json.id.text)
      }
      let large = try folder.bytes(
        "SELECT bytes FROM blobs JOIN avatars ON blob = id WHERE edge = 512")
      try folder.execute(
        """
        UPDATE blobs SET bytes = x'00' WHERE id IN (SELECT blob FROM avatars WHERE edge = 64);
        DELETE FROM avatars WHERE edge = 192;
        UPDATE templates SET thumbnail_digest = zeroblob(32);
        """)
      let (code, lines) = try await folder.repair()
      #expect(code == 0, "\(lines)")
      for edge in [64, 192] {
        let small = try folder.bytes(
          "SELECT bytes FROM blobs JOIN avatars ON blob = id WHERE edge = \(edge)")
        let difference = try meanDifference(small, large)
        #expect(difference < 6, "\(edge): \(difference)")
      }
      try await withServer(in: folder.url) { server in
        try await server.get("/templates/\(template)/thumbnail").expect(200)
      }
    }
  }

  /// SQL that damages rows, and the beginning of the expected finding.
  private static let rows: [(sql: String, place: String)] = [
    ("INSERT INTO blobs (bytes) VALUES (x'00'), (x'01')", "orphan-blob blob="),
    ("DELETE FROM memes WHERE seq = 5", "broken-reference table=pictures: "),
    ("DELETE FROM users WHERE seq = 2", "broken-reference table=likes: "),
    ("DELETE FROM blobs WHERE id = (SELECT blob FROM uploads)", "missing-blob upload-row=1: "),
    ("UPDATE upload_pieces SET bytes = x'01'", "wrong-length unfinished-upload-row=1: "),
    ("UPDATE totals SET visible = 0, likes = 100", "wrong-count table=totals column=likes: "),
    ("UPDATE totals SET unfinished_upload_bytes = 1", "wrong-count table=totals column="),
    ("UPDATE users SET followers = 7", "wrong-count table=users column=followers: 2 rows"),
    ("UPDATE users SET public_memes = 9 WHERE seq = 1", "wrong-count table=users column=public_"),
    (
      "UPDATE memes SET like_count = 3 WHERE seq = 5",
      "wrong-count table=memes column=like_count: stored count is 3, actual count is 1"
    ),
    ("UPDATE memes SET share_count = 0", "wrong-count table=memes column=share_count: "),
    ("DELETE FROM comments", "wrong-count table=memes column=comment_count: "),
    (
      "DELETE FROM changes", "wrong-change table=changes: 2 memes have a missing or outdated change"
    ),
    ("UPDATE changes SET deleted_at = 1", "wrong-change table=changes: 2 "),
    (
      "INSERT INTO changes (author, number, meme) VALUES (1, 99, randomblob(16))",
      "wrong-change table=changes: 1 changes refer to memes that do not exist"
    ),
    (
      "UPDATE memes SET tags = '[\"cat\",\"dog\"]' WHERE seq = 5",
      "wrong-tags table=meme_tags: 1 memes have other tags here than their own"
    ),
    ("INSERT INTO meme_tags (tag, meme, is_public) VALUES ('cat', 5, 1)", "wrong-tags table="),
    (
      """
      UPDATE memes SET tags = '["cat","hot-dog"]' WHERE seq = 5;
      INSERT INTO meme_tags (tag, meme, is_public) VALUES ('cat', 5, 1), ('dog', 5, 1);
      """, "wrong-tags table="
    ),
    (
      """
      UPDATE memes SET tags = '["cat","dog"]' WHERE seq = 5;
      INSERT INTO meme_tags (tag, meme, is_public) VALUES ('cat', 5, 1), ('dog', 5, 0);
      """, "wrong-tags table="
    ),
    (
      """
      UPDATE memes SET tags = '["cat"]', visibility = 2
      WHERE seq = (SELECT min(seq) FROM memes WHERE author IS NOT NULL);
      INSERT INTO meme_tags (tag, meme, is_public)
      SELECT 'cat', min(seq), 1 FROM memes WHERE author IS NOT NULL;
      """, "wrong-tags table="
    ),
  ]

  @Test func `dangling references, counts and changes are found and repaired`() async throws {
    try await withFolder { folder in
      try await EarlierVersion.latest.make(in: folder.url)
      #expect(try await folder.check().code == 0)
      let whole = try Data(contentsOf: folder.database)
      for (sql, place) in Self.rows {
        try await withFolder { copy in
          try whole.write(to: copy.database)
          try copy.executeWithoutTriggers(sql)
          let (found, dry) = try await copy.check()
          #expect(found == 1, "\(sql)")
          #expect(
            dry.contains { $0.hasPrefix(place) && $0.contains("(can be repaired: ") },
            "\(sql): \(dry)")
          let (code, lines) = try await copy.repair()
          #expect(code == 0, "\(sql): \(lines)")
          #expect(try await copy.check().code == 0)
        }
      }
    }
  }

  @Test func `a lost meme that clients have is listed as deleted`() async throws {
    try await withFolder { folder in
      var (token, id, cursor) = ("", "", "")
      try await withServer(in: folder.url) { server in
        token = try await server.signUp("ada")
        id = try await server.make("private", token: token).replacing("/memes/", with: "")
        cursor = try #require(
          try await server.get("/memes/changes", token: token).expect(200).json.cursor.text)
      }
      try folder.executeWithoutTriggers("DELETE FROM memes")
      #expect(try await folder.repair().code == 0)
      try await withServer(in: folder.url) { server in
        let changes = try await server.get("/memes/changes?since=\(cursor)", token: token)
          .expect(200).json
        let change = try #require(changes.changes.elements.first)
        #expect(change.type.text == "delete" && change.id.text == id, "\(changes)")
      }
    }
  }

  @Test func `every foreign key has a repair rule or is excluded`() async throws {
    try await withFolder { folder in
      try await EarlierVersion.latest.make(in: folder.url)
      let found = try await texts(
        in: folder.url, columns: 1,
        """
        SELECT m.name || '.' || f."from" FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
        WHERE m.type = 'table'
        """)
      let left = [
        "pictures.blob", "templates.blob", "templates.thumbnail_blob", "avatars.blob",
        "memes.author", "reports.closing",
      ]
      #expect(
        Set(found.map { $0[0] }) == Set(ReferenceRule.all.map { "\($0.table).\($0.column)" } + left)
      )
    }
  }
}
