/// An admin's decision on a report.
package struct ReportDecision: Sendable {
  package let status: Report.Status
  package let note: Note
  /// Whether to close all open reports on the same subject, up to ``Report/maximumCount``.
  package let isForAll: Bool

  /// The action in the audit log.
  package var act: AdminAct {
    switch status {
    case .open: .reopenReport
    case .resolved: .resolveReport
    case .dismissed: .dismissReport
    }
  }

  /// The change to the note.
  package enum Note: Sendable {
    case keep
    case set(ReportNote?)
  }

  package init(status: Report.Status, note: Note, isForAll: Bool) {
    (self.status, self.note, self.isForAll) = (status, note, isForAll)
  }
}
