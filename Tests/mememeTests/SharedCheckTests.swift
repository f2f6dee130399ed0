import Eventually
import Foundation
import Memes
import PostgreSQL
import Support
import Testing
import Wire

/// `mememe check` with a PostgreSQL database.
struct SharedCheckTests {
  /// SQL that damages the data of a meme, and how the finding begins.
  private static let damages: [(sql: String, finding: String)] = [
    (
      "DELETE FROM blobs WHERE id = (SELECT blob FROM pictures WHERE role = 3)",
      "missing-blob meme="
    ),
    ("UPDATE pictures SET digest = sha256('') WHERE role = 2", "wrong-digest meme="),
    ("UPDATE memes SET like_count = 7", "wrong-count table=memes column=like_count"),
    ("UPDATE totals SET visible = 5", "wrong-count table=totals column=visible"),
    ("UPDATE memes SET tags = '[\"cat\"]'", "wrong-tags table=meme_tags"),
    ("INSERT INTO blobs (bytes) VALUES ('orphan')", "orphan-blob blob="),
    (
      "INSERT INTO shares (meme, channel, count) VALUES (1000, 'link', 1)",
      "broken-reference table=shares"
    ),
  ]

  @Test func `a check finds damage while a server runs, and repairs it without one`()
    async throws
  {
    try await withSharedDatabase { database in
      let server = try await ServerProcess(
        data: database.folder.appending(path: "a"), settings: database.settings)
      let form = FormBody([.file("image", try Fixture.photo.bytes), .field("top", "whole")])
      let url = try #require(try await server.post(form).expect(201)["location"])
      let before = try await server.get("\(url)/thumbnail").expect(200).response.body
      let intact = try await database.command("check", "--decode")
      // The command has `--data` too, but reads the database.
      let address = try ServerAddress(try #require(database.settings["MEMEME_DATABASE"]))
      let end = " blobs in \(address.description): no damage"
      #expect(intact.code == 0 && intact.lines.last?.hasSuffix(end) == true, "\(intact)")

      for (sql, _) in Self.damages { try database.damage(sql) }
      try database.run("ALTER TABLE likes DISABLE TRIGGER USER")
      let found = try await database.command("check")
      #expect(found.code == 1)
      for (_, finding) in Self.damages {
        #expect(found.lines.contains { $0.hasPrefix(finding) }, "\(finding): \(found.lines)")
      }
      #expect(found.lines.contains { $0.hasPrefix("damaged-file table=likes: trigger ") })

      let refused = try await database.command("check", "--repair")
      #expect(refused.code == 2)
      #expect(
        refused.lines.first?.hasPrefix("mememe: servers use the database: ") == true, "\(refused)")

      #expect(try await server.end(by: SIGTERM) == 0)
      try database.run("ALTER TABLE likes ENABLE TRIGGER USER")
      let repaired = try await database.command("check", "--repair", "--decode")
      #expect(repaired.code == 0, "\(repaired)")
      let again = try await ServerProcess(
        data: database.folder.appending(path: "a"), settings: database.settings)
      let meme = try await again.get(url).expect(200).json
      #expect(meme.counts.likes.int == 0)
      #expect(try await again.get("\(url)/thumbnail").expect(200).response.body == before)
      #expect(try await again.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a server that starts during a repair waits for its end`() async throws {
    try await withSharedDatabase { database in
      #expect(try await database.command("migrate").code == 0)
      let address = try #require(database.settings["MEMEME_DATABASE"])
      let lock = try MigrationLock(ServerAddress(address))
      async let started = ServerProcess(
        data: database.folder.appending(path: "a"), settings: database.settings)
      try await eventually("the server asks for the lock") {
        try database.run(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'
          """) == "2\n"
      }
      try lock.end()
      #expect(try await started.end(by: SIGTERM) == 0)
    }
  }
}
