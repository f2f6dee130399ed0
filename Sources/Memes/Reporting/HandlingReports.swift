/// Lists reports for admins, and records their decisions. Admins act on the reported content
/// itself through the usual API.
package struct HandlingReports: Sendable {
  private let store: any ReportStore
  private let now: @Sendable () -> Timestamp

  package init(store: any ReportStore, now: @escaping @Sendable () -> Timestamp) {
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

/// An admin's decision on a report.
package struct ReportDecision: Sendable {
  package let status: Report.Status
  package let note: Note
  /// Whether to close all open reports on the same subject, up to ``Report/maximumCount``.
  package let isForAll: Bool

  /// The change to the note.
  package enum Note: Sendable {
    case keep
    case set(ReportNote?)
  }

  package init(status: Report.Status, note: Note, isForAll: Bool) {
    (self.status, self.note, self.isForAll) = (status, note, isForAll)
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

/// Stores reports for ``Reporting`` and ``HandlingReports``. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol ReportStore: Sendable {
  /// Stores a report. On return, it is durable. The same transaction checks whether the viewer may see the subject.
  ///
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the subject;
  ///   ``MemeError/invalid(field:_:)`` (`username`) if the viewer reports themselves; ``MemeError/unauthorized``
  ///   if the account was deleted.
  func file(
    _ report: FiledReport, on subject: SubjectName, because reason: ReportReason,
    by viewer: Principal, answering answer: IdempotencyRecord?
  ) async throws -> Filing

  /// A page of reports, newest first.
  func reports(
    of status: Report.Status, after position: ListPosition?, limit: Int
  ) async throws -> Page<Report>

  /// A page of the reports by a user, newest first.
  func reports(
    by person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<OwnReport>

  /// - Parameter entry: written if something changes.
  /// - Throws: ``MemeError/notFound``.
  func decide(
    _ decision: ReportDecision, on id: ReportID, recording entry: AuditEntry
  ) async throws -> Report
}
