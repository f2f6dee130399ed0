package import Memes
package import Storage

/// Lets everyone report content and people to the admins.
///
/// Only admins can see reports and their reporters.
package struct Reporting: Sendable {
  private let store: ReportStore
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> ReportID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk has room for more data; the rest is reserved for deletions.
  package init(
    store: ReportStore, retrying: Retrying, now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> ReportID, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.retrying, self.now) = (store, retrying, now)
    (self.newID, self.hasRoom) = (newID, hasRoom)
  }

  /// Creates a report. On return, it is durable.
  ///
  /// A user has at most one open report per subject. Reporting it again replaces the reason.
  ///
  /// - Parameter retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the subject;
  ///   ``MemeError/invalid(field:_:)`` (`username`) if the viewer reports themselves; ``MemeError/storageFull``;
  ///   ``MemeError/keyInUse`` and ``MemeError/keyReused``.
  package func report(
    _ subject: SubjectName, because reason: ReportReason, by viewer: Principal,
    under retry: Retry<FiledReport>? = nil
  ) async throws -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) {
      guard hasRoom() else { throw MemeError.storageFull }
      let time = now()
      let report = FiledReport(id: newID(time), createdAt: time)
      let filing = try await store.file(
        report, on: subject, because: reason, by: viewer,
        answering: retry?.first(making: report, id: report.id.uuid, at: time))
      switch filing {
      case .made: return .filed(report)
      case .renewed(let earlier): return .renewed(earlier)
      case .answered(let first): return .repeated(try first.repeated(for: retry?.request))
      }
    }
  }

  /// The result of a report.
  package enum Outcome: Sendable {
    case filed(FiledReport)
    /// The user already had an open report on the subject.
    case renewed(FiledReport)
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
