/// Scans a table by number, in chunks of rows, and skips chunks that cannot be read.
package struct TableScan {
  /// The number of rows that are read in one transaction.
  package static let chunk = 64
  /// The scan ends after this many consecutive chunks that cannot be read: the rest of the table is lost.
  private static let patience = 64

  private let table: String
  private let end: Int64
  /// The next chunk starts after this number; `nil` at the end.
  package private(set) var position: Int64?
  private var failures = 0

  /// - Parameter end: the highest number.
  package init(table: String, end: Int64) {
    (self.table, self.end) = (table, end)
    position = end > 0 ? 0 : nil
  }

  /// Reads the chunk at ``position`` and advances to the next one.
  package mutating func step<Row>(
    number: (Row) -> Int64, _ read: () throws -> [Row]
  ) -> (rows: [Row], findings: [Finding]) {
    guard let start = position else { return ([], []) }
    do {
      let rows = try read()
      failures = 0
      position = rows.last.map(number).flatMap { $0 < end ? $0 : nil }
      return (rows, [])
    } catch {
      failures += 1
      let (next, overflow) = start.addingReportingOverflow(Int64(Self.chunk))
      position = overflow || next >= end || failures == Self.patience ? nil : next
      return ([], [Finding(.unreadableRow, "table=\(table) after=\(start)", error.reason)])
    }
  }
}
