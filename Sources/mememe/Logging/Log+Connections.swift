import Memes
import Services

extension Log {
  /// Logs how many events were given up because they could not be delivered for a week, if any, or why that failed.
  func purgedEvents(_ outcome: Result<Int, any Error>) {
    tell(
      outcome, "undelivered events removed", "events", "cannot remove undelivered events")
  }

  /// Logs what the sender of events reports. Attempts are in the delivery log of their connection.
  func events(_ outcome: EventSender.Outcome) {
    switch outcome {
    case .stopped(let connection, let reason):
      write(
        .warning, "connection stopped",
        [("connection", .text(connection.description)), ("reason", .text(reason))])
    case .failed(let error):
      write(.error, "cannot deliver events", [("cause", .text(error.reason))])
    }
  }
}
