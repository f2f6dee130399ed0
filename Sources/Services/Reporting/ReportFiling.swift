import Foundation
package import Memes
package import Storage

/// Lets everyone report content and people to the admins.
///
/// Only admins can see reports and their reporters.
package struct ReportFiling: Sendable {
  private let store: ReportStore
  private let context: ServiceContext

  package init(store: ReportStore, context: ServiceContext) {
    (self.store, self.context) = (store, context)
  }

  /// Creates a report. On return, it is durable.
  ///
  /// A user has at most one open report per subject. Reporting the subject again replaces the reason.
  ///
  /// - Parameter request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the subject;
  ///   ``MemeError/invalid(field:_:)`` (`username`) if the viewer reports themselves; ``MemeError/storageFull``;
  ///   ``MemeError/keyInUse`` and ``MemeError/keyReused``.
  package func report(
    _ subject: SubjectName, because reason: ReportReason, by viewer: Principal,
    under request: IdempotentRequest<FiledReport>? = nil
  ) async throws -> Outcome {
    try await context.idempotency.perform(request, repeated: Outcome.repeated) {
      guard context.hasRoom() else { throw MemeError.storageFull }
      let time = context.now()
      let report = FiledReport(id: .version7(at: time, random: UUID()), createdAt: time)
      let filing = try await store.file(
        report, on: subject, because: reason, by: viewer,
        recording: request?.record(of: report, id: report.id.uuid, at: time))
      switch filing {
      case .made: return .filed(report)
      case .renewed(let earlier): return .renewed(earlier)
      case .answered(let first): return .repeated(try first.repeated(for: request?.digest))
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
