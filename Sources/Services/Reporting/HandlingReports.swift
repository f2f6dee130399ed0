package import Memes
package import Storage

/// Lists reports for admins, and records their decisions. Admins act on the reported content
/// itself through the usual API.
package struct HandlingReports: Sendable {
  private let store: ReportStore
  private let now: @Sendable () -> Timestamp

  package init(store: ReportStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// A page of the reports with this status, newest first.
  package func page(
    of status: Report.Status, after position: ListPosition?, limit: PageLimit
  ) async throws -> Page<Report> {
    try await store.reports(of: status, after: position, limit: limit.count)
  }

  /// Closes or reopens a report. On return, this is durable, with an entry in the audit log. If nothing
  /// changes, no entry is written.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func decide(
    _ decision: ReportDecision, on id: ReportID, by authority: Authority
  ) async throws -> Report {
    let entry = AuditEntry(at: now(), authority, decision.status.act, id.description)
    return try await store.decide(decision, on: id, recording: entry)
  }
}

extension Report.Status {
  fileprivate var act: AdminAct {
    switch self {
    case .open: .reopenReport
    case .resolved: .resolveReport
    case .dismissed: .dismissReport
    }
  }
}
