import Memes
import Services

extension Log {
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
