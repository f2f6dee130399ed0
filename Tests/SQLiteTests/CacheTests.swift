import Bytes
import Testing

@testable import SQL
@testable import SQLite

@Suite struct CacheTests {
  @Test func `a large cache is released, a small one is kept`() async throws {
    try await withScratchFile { path in
      let connection = try Connection(path: path, .readWrite, busyMilliseconds: 0)
      try connection.execute("PRAGMA cache_size = -16384; CREATE TABLE blobs (bytes)")
      try connection.execute("INSERT INTO blobs VALUES (zeroblob(1000))")
      let small = connection.cacheBytes
      connection.releaseLargeCache()
      #expect(connection.cacheBytes == small && small > 0)
      try connection.execute("INSERT INTO blobs VALUES (zeroblob(8000000))")
      #expect(connection.cacheBytes > 7_000_000)
      connection.releaseLargeCache()
      #expect(connection.cacheBytes < 1_000_000)
      #expect(try connection.integer("SELECT count(*) FROM blobs") == 2)
    }
  }
}
