/// The result of storing a report.
package enum ReportInsertion: Sendable {
  case made
  /// The user's open report on the subject, now with the new reason.
  case renewed(FiledReport)
  /// The key's first request already has a response. Nothing was stored.
  case answered(IdempotencyRecord)
}
