/// The way through a table by its numbers, some rows at a time, and past those that cannot be read.
struct Walk {
  /// Rows that are read in one transaction.
  static let chunk = 64
  /// So many chunks in a row that cannot be read end the walk: the rest of the table is not there.
  private static let patience = 64

  private let table: String
  private let end: Int64
  /// The number after which the next chunk starts; `nil` at the end.
  private(set) var position: Int64?
  private var failures = 0

  /// - Parameter end: the highest number.
  init(table: String, end: Int64) {
    (self.table, self.end) = (table, end)
    position = end > 0 ? 0 : nil
  }

  /// Reads the chunk at ``position`` and goes on to the next.
  mutating func step<Row>(
    number: (Row) -> Int64, _ read: () throws(MemeError) -> [Row]
  ) -> (rows: [Row], findings: [Finding]) {
    guard let start = position else { return ([], []) }
    do throws(MemeError) {
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
