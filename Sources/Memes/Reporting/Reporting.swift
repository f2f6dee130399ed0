/// Lets everybody tell the admins of what they see.
///
/// Nobody but admins ever hears of a report, or of who made it.
package struct Reporting: Sendable {
  private let store: any ReportStore
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable (Timestamp) -> ReportID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk takes more; what is left below that is for deletions.
  package init(
    store: any ReportStore, retrying: Retrying, now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable (Timestamp) -> ReportID, hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.store, self.retrying, self.now) = (store, retrying, now)
    (self.newID, self.hasRoom) = (newID, hasRoom)
  }

  /// Reports something. When this returns, it is durable.
  ///
  /// A person has one open report on a thing: where they report it again, that has the new reason.
  ///
  /// - Parameter retry: set where the request came with a key.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is no such thing for the viewer; ``MemeError/invalid(field:_:)``
  ///   (`username`) for oneself; ``MemeError/storageFull``; ``MemeError/keyInUse`` and ``MemeError/keyReused``.
  package func report(
    _ subject: SubjectName, because reason: ReportReason, by viewer: Viewer,
    under retry: Retry<FiledReport>? = nil
  ) async throws(MemeError) -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) { () async throws(MemeError) in
      guard hasRoom() else { throw .storageFull }
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

  /// What came of a report.
  package enum Outcome: Sendable {
    case filed(FiledReport)
    /// The person had reported it already.
    case renewed(FiledReport)
    /// The same request was answered before.
    case repeated(FirstAnswer)
  }
}

/// What came of keeping a report.
package enum Filing: Sendable {
  case made
  /// The person has this one, which is open; it has the new reason now.
  case renewed(FiledReport)
  /// The key's first request was answered already. Nothing was done.
  case answered(FirstAnswer)
}
