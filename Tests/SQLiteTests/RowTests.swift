import Bytes
import SQL
import SQLite
import Testing

/// Reading the columns of a row in the order of the SELECT list.
@Suite struct RowTests {
  @Test func `columns are read in order, and each row begins with its first one`() async throws {
    try await withDatabase { database in
      let read = try await database.readers.read { db in
        try db.all("SELECT 1, 'one', x'01', 1.5 UNION ALL SELECT 2, 'two', x'02', 2.5") { row in
          (
            number: try row.next() as Int, text: try row.next() as String,
            bytes: try row.next() as Bytes, fraction: try row.next() as Double
          )
        }
      }
      #expect(read.map(\.number) == [1, 2])
      #expect(read.map(\.text) == ["one", "two"])
      #expect(read.map(\.bytes) == [Bytes([1]), Bytes([2])])
      #expect(read.map(\.fraction) == [1.5, 2.5])
    }
  }

  @Test func `NULL is read as nil, and the next column follows`() async throws {
    try await withDatabase { database in
      let read = try await database.readers.read { db in
        try db.first("SELECT NULL, 1, NULL") { row in
          (
            first: try row.next() as String?, second: try row.next() as Int?,
            third: try row.next() as Bytes?
          )
        }
      }
      #expect(read?.first == nil)
      #expect(read?.second == 1)
      #expect(read?.third == nil)
    }
  }

  @Test func `a test for NULL reads nothing, and skipped columns are left out`() async throws {
    try await withDatabase { database in
      let read = try await database.readers.read { db in
        try db.first("SELECT NULL, NULL, 3, 4") { row in
          let (isNull, isStillNull) = (try row.isNextNull, try row.isNextNull)
          try row.skip(2)
          let isThirdNull = try row.isNextNull
          return (nulls: [isNull, isStillNull, isThirdNull], number: try row.next() as Int)
        }
      }
      #expect(read?.nulls == [true, true, false])
      #expect(read?.number == 3)
    }
  }

  @Test func `there is nothing to read after the last column`() async throws {
    try await withDatabase { database in
      let codes = try await database.readers.read { db in
        try db.first("SELECT 1") { row in
          let number: Int = try row.next()
          return (
            number: number,
            codes: [
              code { () throws(DatabaseError) in _ = try row.next() as Int? },
              code { () throws(DatabaseError) in _ = try row.nextBytes { $0.count } },
              code { () throws(DatabaseError) in _ = try row.isNextNull },
              code { () throws(DatabaseError) in try row.skip(1) },
            ]
          )
        }
      }
      #expect(codes?.number == 1)
      #expect(codes?.codes == [.range, .range, .range, .range])
    }
  }

  @Test func `a column of another type is an error, and the next column follows`() async throws {
    try await withDatabase { database in
      let read = try await database.readers.read { db in
        try db.first("SELECT 'one', 2, NULL, 4") { row in
          let text = code { () throws(DatabaseError) in _ = try row.next() as Int }
          let number = code { () throws(DatabaseError) in _ = try row.nextBytes { $0.count } }
          let null = code { () throws(DatabaseError) in _ = try row.next() as Int }
          return (codes: [text, number, null], last: try row.next() as Int)
        }
      }
      #expect(read?.codes == [.mismatch, .mismatch, .mismatch])
      #expect(read?.last == 4)
    }
  }

  /// The code of the error that `body` throws.
  private func code(_ body: () throws(DatabaseError) -> Void) -> DatabaseError.Code? {
    do throws(DatabaseError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }
}
