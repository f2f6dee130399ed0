/// Shows admins what is reported, and notes what became of it. What they do about it they do where they do that otherwise.
package struct HandlingReports: Sendable {
  private let store: any ReportStore
  private let now: @Sendable () -> Timestamp

  package init(store: any ReportStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// A page of the reports of a status, newest first.
  package func page(
    of status: Report.Status, after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<Report> {
    try await store.reports(of: status, after: position, limit: limit.count)
  }

  /// Closes a report, or opens it again. When this returns it is durable, with an entry in the log of what admins did; where
  /// nothing changes there is none.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func decide(
    _ decision: ReportDecision, on id: ReportID, by authority: Authority
  ) async throws(MemeError) -> Report {
    let entry = AuditEntry(at: now(), authority, decision.status.act, id.description)
    return try await store.decide(decision, on: id, recording: entry)
  }
}

/// What is to become of a report.
package struct ReportDecision: Sendable {
  package let status: Report.Status
  package let note: Note
  /// Whether all open reports on the same thing are meant, as many as are counted at most.
  package let isForAll: Bool

  /// What becomes of the note.
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

/// What ``Reporting`` and ``HandlingReports`` need of a store. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol ReportStore: Sendable {
  /// Keeps a report. When this returns it is durable. Whether the viewer sees the thing is decided in the transaction.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is no such thing for the viewer; ``MemeError/invalid(field:_:)``
  ///   (`username`) for oneself; ``MemeError/unauthorized`` where the person left meanwhile.
  func file(
    _ report: FiledReport, on subject: SubjectName, because reason: ReportReason,
    by viewer: Viewer, answering answer: FirstAnswer?
  ) async throws(MemeError) -> Filing

  /// Reports, newest first.
  func reports(
    of status: Report.Status, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Report>

  /// What a person reported, newest first.
  func reports(
    by person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<OwnReport>

  /// - Parameter entry: is written where something changes.
  /// - Throws: ``MemeError/notFound``.
  func decide(
    _ decision: ReportDecision, on id: ReportID, recording entry: AuditEntry
  ) async throws(MemeError) -> Report
}
