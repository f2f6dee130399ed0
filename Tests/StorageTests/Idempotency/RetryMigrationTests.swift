import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Storage
import Testing

struct RetryMigrationTests {
  @Test func `responses from before the migration are found again`() async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0009" }
      #expect(migrations.dropFirst(before.count).first?.name == "0009_uploads.sql")
      let (key, made) = (try retryKey(1), try newMeme().meme.id.uuid)
      try await withDatabase(at: path, Array(before)) { database in
        try await database.writer.transaction { db in
          _ = try db.run(
            "INSERT INTO retries (key, request, meme, answer, answered_at) VALUES (?, ?, ?, ?, 5)",
            key.digest.bytes, [UInt8](repeating: 2, count: 32),
            withUnsafeBytes(of: made.uuid) { Array($0) }, Bytes("the answer"))
        }
      }
      try await withDatabase(at: path, migrations) { database in
        let time = Timestamp(millisecondsSince1970: 5)
        let kept = IdempotencyRecord(
          key: key, request: try digest(2), made: made, response: Bytes("the answer"), at: time)
        let found = try await IdempotencyStore(database).firstResponse(to: key, at: time)
        #expect(found == kept)
      }
    }
  }
}
