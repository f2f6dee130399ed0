package import Memes
import SQL

extension ReportStore {
  /// Closes or reopens a report. This does not change the reported content.
  ///
  /// If the decision closes other reports too, these keep their notes unless it sets a note.
  ///
  /// - Parameter entry: written in the same transaction if something changes.
  /// - Returns: the current report.
  /// - Throws: ``MemeError/notFound``.
  package func decide(
    _ decision: ReportDecision, on id: ReportID, recording entry: AuditEntry
  ) async throws -> Report {
    try await writer.transaction { db in
      try db.lock(report: id, isForAll: decision.isForAll)
      guard let before = try storedReport(id, in: db) else { throw MemeError.notFound }
      let note =
        switch decision.note {
        case .keep: before.note
        case .set(let note): note
        }
      var others: [Int64] = []
      if decision.isForAll, decision.status != .open { others = try openOnes(beside: id, in: db) }
      let changes = before.status != decision.status || before.note != note
      guard changes || !others.isEmpty else { return before }
      var entry = entry
      entry.details.note = note
      if decision.isForAll { entry.details.count = others.count + (changes ? 1 : 0) }
      let act = try insertEntry(entry, in: db)
      let closing = decision.status == .open ? nil : act
      if changes {
        try db.run(
          "UPDATE reports SET status = ?, note = ?, closing = ? WHERE id = ?",
          decision.status.number, note?.text, closing, id.bytes)
      }
      for other in others {
        try db.run(
          "UPDATE reports SET status = ?, closing = ? WHERE seq = ?", decision.status.number,
          closing, other)
        if case .set(let note) = decision.note {
          try db.run("UPDATE reports SET note = ? WHERE seq = ?", note?.text, other)
        }
      }
      guard let report = try storedReport(id, in: db) else { throw MemeError.notFound }
      return report
    }
  }

  static let openOnesQuery = """
    SELECT seq FROM reports INDEXED BY reports_of_subject
    WHERE subject = (SELECT subject FROM reports WHERE id = ?1) AND status = 0 AND id <> ?1 LIMIT ?2
    """
}

/// The other open reports on the same subject, at most ``Report/maximumCount``.
private func openOnes(
  beside id: ReportID, in db: borrowing Transaction
) throws -> [Int64] {
  try db.column(ReportStore.openOnesQuery, id.bytes, Report.maximumCount)
}

private func storedReport(
  _ id: ReportID, in db: borrowing Transaction
) throws -> Report? {
  try db.first(
    "SELECT \(reportColumns) FROM reports \(reportParts) WHERE reports.id = ?", id.bytes
  ) { row in try Report(&row) }
}
