import CPQ
import SQL

/// The result of a statement. The server has sent all of its rows.
final class ResultCursor: Cursor {
  private let result: OpaquePointer
  private let kinds: [ColumnKind]
  private let rows: Int32
  private var row: Int32 = -1

  /// Takes ownership of the result.
  ///
  /// - Throws: an error if a column has a type that Swift does not read.
  init(_ result: OpaquePointer) throws(DatabaseError) {
    var kinds: [ColumnKind] = []
    for column in 0..<PQnfields(result) {
      guard let kind = ColumnKind(type: PQftype(result, column)) else {
        defer { PQclear(result) }
        throw DatabaseError(
          .mismatch,
          "Column \(Self.name(of: column, in: result)) has the type \(PQftype(result, column)).")
      }
      kinds.append(kind)
    }
    (self.result, self.kinds, rows) = (result, kinds, PQntuples(result))
  }

  deinit { PQclear(result) }

  func step() throws -> Bool {
    guard row + 1 < rows else {
      row = rows
      return false
    }
    row += 1
    return true
  }

  var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  var columnCount: Int { kinds.count }

  func content(of column: Int) -> ColumnContent {
    let number = Int32(clamping: column)
    guard row >= 0, row < rows, kinds.indices.contains(column),
      PQgetisnull(result, row, number) == 0
    else { return .null }
    let memory = UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, number), count: Int(PQgetlength(result, row, number)))
    return kinds[column].content(memory)
  }

  func name(of column: Int) -> String { Self.name(of: Int32(clamping: column), in: result) }

  private static func name(of column: Int32, in result: OpaquePointer) -> String {
    PQfname(result, column).map { String(cString: $0) } ?? "\(column)"
  }

  /// The memory is freed with the last reference.
  func close() {}
}
