import Bytes
import Crypto
import Eventually
import Foundation
import Memes
import Storage
import Support
import Testing
import Wire
import mememe

@testable import SQL
@testable import SQLite

/// `mememe check`: the findings in damaged folders, and none in an intact one.
struct CheckTests {
  @Test func `an intact folder passes, and its files stay unchanged`() async throws {
    try await withMemes { folder, _, _ in
      let before = try Data(contentsOf: folder.database)
      let (code, lines) = try await folder.check()
      #expect(code == 0)
      #expect(lines.count == 1)
      #expect(
        lines[0].hasPrefix(
          "checked 2 memes (1 in the trash), 0 uploads (0 more unfinished), 0 templates, 0 avatars, 8 pictures with "
        ))
      #expect(lines[0].hasSuffix(" bytes, 8 blobs in \(folder.url.path): no damage"))
      #expect(try Data(contentsOf: folder.database) == before)
      // The next server starts normally.
      try await withServer(in: folder.url) { server in
        let list = try await server.get("/memes")
        #expect(list.json.items.elements.count == 1)
      }
    }
  }

  @Test func `leftovers of deleted accounts pass, and the next start removes them`() async throws {
    try await withFolder { folder in
      try await withServer(in: folder.url) { server in
        let token = try await server.signUp("ada")
        _ = try await server.make("private", token: token)
        try await server.json(
          "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: token
        ).expect(204)
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0 && lines.count == 1)
      let place = folder.url.path
      #expect(lines[0].hasPrefix("checked 0 memes "))
      #expect(lines[0].hasSuffix(" 4 blobs in \(place): no damage"))
      try await withServer(in: folder.url) { server in
        try await eventually("files of deleted accounts are removed") {
          try server.log.contains("files of deleted accounts removed")
        }
      }
      let end = " 0 blobs in \(place): no damage"
      #expect(try await folder.check().lines.first?.hasSuffix(end) == true)
    }
  }

  @Test func `every readable picture format passes`() async throws {
    try await withFolder { folder in
      try await withServer(in: folder.url, { $0.decoders = PictureFormat.allCases }) { server in
        for picture in Fixture.allCases { try await server.upload(picture).expect(201) }
        for format in OutputFormat.allCases {
          try await server.upload(.photo, ["format": format.rawValue]).expect(201)
        }
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0, "\(lines)")
    }
  }

  @Test func `a flipped bit in a picture is reported`() async throws {
    try await withMemes { folder, kept, _ in
      let picture = try Data(Fixture.photo.bytes)
      var file = try Data(contentsOf: folder.database)
      // Page boundaries split the picture, but not each of these short ranges.
      let part = try #require(
        stride(from: 2000, to: 20_000, by: 500).lazy
          .compactMap { file.range(of: picture[$0..<$0 + 64]) }.first)
      file[part.lowerBound] ^= 1
      try file.write(to: folder.database)
      let (code, lines) = try await folder.check()
      #expect(code == 1)
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("wrong-digest meme=\(kept) picture=original: "))
      #expect(lines[1].hasSuffix(": 1 finding"))
    }
  }

  /// The SQL that damages the database, and the expected findings, with ID for the meme's id.
  private static let damage: [(sql: String, expected: [String])] = [
    (
      "DELETE FROM blobs WHERE id = (SELECT blob FROM pictures WHERE meme = 1 AND role = 1)",
      ["broken-reference table=pictures: ", "missing-blob meme=ID picture=image: "]
    ),
    ("INSERT INTO blobs (bytes) VALUES (x'00')", ["orphan-blob blob=9: "]),
    (
      "DELETE FROM pictures WHERE meme = 1 AND role = 3",
      ["missing-picture meme=ID picture=grid-thumbnail: ", "orphan-blob blob=4: "]
    ),
    (
      "UPDATE pictures SET width = width + 1 WHERE meme = 1 AND role = 0",
      ["wrong-size meme=ID picture=original: size is 640×480, expected 641×480"]
    ),
    (
      "UPDATE pictures SET format = 'png' WHERE meme = 1 AND role = 1",
      ["wrong-format meme=ID picture=image: format is jpeg, expected png"]
    ),
    (
      "UPDATE pictures SET byte_count = byte_count - 1 WHERE meme = 1 AND role = 2",
      ["wrong-length meme=ID picture=table-thumbnail: "]
    ),
    (
      "UPDATE pictures SET digest = zeroblob(32) WHERE meme = 1 AND role = 3",
      ["wrong-digest meme=ID picture=grid-thumbnail: "]
    ),
    (
      "UPDATE memes SET fit = 'no json' WHERE seq = 1", ["unreadable-row meme=ID: "]
    ),
    (
      "DELETE FROM memes WHERE seq = 1",
      [
        "broken-reference table=pictures: rows that refer to missing rows of memes: 4",
        "wrong-count table=totals column=anonymous_bytes: ",
      ]
    ),
  ]

  @Test func `damaged rows are reported`() async throws {
    try await withMemes { folder, kept, _ in
      let whole = try Data(contentsOf: folder.database)
      for (sql, expected) in Self.damage {
        let lines = try await expectFindings(
          expected.map { $0.replacing("ID", with: kept) }, after: sql, in: whole)
        #expect(lines.count == expected.count + 1, "\(lines)")
      }
    }
  }

  @Test func `an undecodable picture of a deleted meme is reported`() async throws {
    try await withMemes { folder, _, deleted in
      // Truncated, with the length and digest of the rest.
      let half = try folder.blob(ofMeme: 2, role: 0).dropLast(5000)
      try folder.replaceBlob(ofMeme: 2, role: 0, by: Array(half))
      let (checked, lines) = try await folder.check()
      #expect(checked == 1)
      #expect(lines.first?.hasPrefix("broken-picture meme=\(deleted) picture=original: ") == true)
      // Without --decode there is no finding: these are the stored bytes.
      #expect(try await folder.check(decoding: false).code == 0)
      try folder.execute("UPDATE pictures SET digest = zeroblob(32) WHERE meme = 2 AND role = 0")
      let (found, digests) = try await folder.check(decoding: false)
      #expect(found == 1 && digests.count == 2)
      #expect(digests.first?.hasPrefix("wrong-digest meme=\(deleted) picture=original: ") == true)
    }
  }

  @Test func `a damaged page is reported and hides no other damage`() async throws {
    try await withMemes { folder, kept, _ in
      let image = try folder.blob(ofMeme: 1, role: 1)
      try folder.execute("UPDATE pictures SET width = width + 1 WHERE meme = 1 AND role = 0")
      var file = try Data(contentsOf: folder.database)
      // The picture's overflow pages begin with the number of the next page. One number is overwritten.
      let pageBytes = 16_384
      let page = try #require(
        stride(from: 0, to: file.count, by: pageBytes).first { start in
          image.firstRange(of: Array(file[(start + 4)..<(start + 100)])) != nil
        })
      file.replaceSubrange(page..<page + 4, with: [0, 0xFF, 0xFF, 0xFF])
      try file.write(to: folder.database)
      let (code, lines) = try await folder.check()
      #expect(code == 1)
      #expect(lines.contains { $0.hasPrefix("damaged-file file=mememe.db: ") }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("unreadable-blob meme=\(kept) picture=image: ") })
      #expect(lines.contains { $0.hasPrefix("wrong-size meme=\(kept) picture=original: ") })
      // The server keeps working: only this URL fails, and the damage is logged.
      try await withServer(in: folder.url) { server in
        try await server.get("/memes/\(kept)/image").expect(500, problem: "internal-error")
        try await server.get("/memes/\(kept)/thumbnail").expect(200)
        try await server.get("/memes").expect(200)
        try await server.upload().expect(201)
        let log = try server.log
        #expect(log.contains("SQLite error 11"))
      }
    }
  }

  @Test func `a truncated file is reported by check and by the server`() async throws {
    try await withMemes { folder, _, _ in
      let file = try Data(contentsOf: folder.database)
      let half = file.prefix(file.count / 2)
      try half.write(to: folder.database)
      let (code, lines) = try await folder.check()
      #expect(code == 1)
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("damaged-file "))
      let (served, output) = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.url.path])
      #expect(served == 1)
      #expect(output.contains(folder.database.path))
      #expect(output.contains("Restore the data folder from a backup"))
      #expect(try Data(contentsOf: folder.database) == half)
    }
  }

  @Test func `a folder without a database is reported, and none is created`() async throws {
    try await withFolder { folder in
      let (code, lines) = try await folder.check()
      #expect(code == 2)
      #expect(lines.first?.contains("no mememe.db in \(folder.url.path)") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
  }

  @Test func `a database that cannot be read is reported with the system's error`() async throws {
    try await withFolder { folder in
      // Root may read every file, but no one can follow a link to itself.
      try FileManager.default.createSymbolicLink(
        at: folder.database, withDestinationURL: folder.database)
      let (code, lines) = try await folder.check()
      #expect(code == 2)
      #expect(lines.first?.hasPrefix("mememe: read \(folder.database.path): ") == true, "\(lines)")
    }
  }

  @Test func `a database of another version or program is reported`() async throws {
    try await withMemes { folder, _, _ in
      try folder.execute("PRAGMA user_version = 99")
      var (code, lines) = try await folder.check()
      #expect(code == 2)
      #expect(lines.first?.contains("a newer MemeMe upgraded it") == true)
      try folder.execute(
        "PRAGMA user_version = 2; UPDATE migrations SET sql = '' WHERE version = 2")
      (code, lines) = try await folder.check()
      #expect(code == 1)
      #expect(lines.first?.hasPrefix("unknown-schema file=mememe.db: ") == true)
      try folder.execute("PRAGMA application_id = 7")
      (code, lines) = try await folder.check()
      #expect(code == 1)
      #expect(lines.first?.hasPrefix("unknown-schema file=mememe.db: ") == true)
    }
  }

  @Test func `a check during uploads and deletions reports nothing false`() async throws {
    try await withServer({ $0.trashDays = 0 }) { server in
      for number in 1...4 { try await server.upload(top: "\(number)").expect(201) }
      try await withThrowingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            while !Task.isCancelled {
              let url = try #require(try await server.upload(.transparent).expect(201)["location"])
              try await server.delete(url, token: server.adminToken).expect(204)
            }
          }
        }
        for _ in 0..<4 {
          let (code, lines) = try await CheckedFolder(url: server.folder).check()
          #expect(code == 0, "\(lines)")
          #expect(lines.count == 1)
        }
        group.cancelAll()
        while let result = await group.nextResult() { try result.get() }
      }
    }
  }

  @Test func `after kill -9 the remaining WAL is checked too`() async throws {
    try await withFolder { folder in
      let server = try await ServerProcess(data: folder.url)
      let form = FormBody([.file("image", try Fixture.photo.bytes)])
      for _ in 0..<3 { try await server.post(form).expect(201) }
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      let log = try FileManager.default.attributesOfItem(atPath: folder.database.path + "-wal")
      #expect(log[.size] as? Int ?? 0 > 100_000)
      for _ in 0..<2 {
        let (code, lines) = try await folder.check()
        #expect(code == 0)
        let counts =
          "checked 3 memes (0 in the trash), 0 uploads (0 more unfinished), 0 templates, 0 avatars, 12 pictures "
        #expect(lines.last?.hasPrefix(counts) == true)
      }
      let again = try await ServerProcess(data: folder.url)
      #expect(try await again.get("/memes").json.items.elements.count == 3)
      #expect(try await again.end(by: SIGTERM) == 0)
    }
  }
}
