/// Sends mail. Safe to use from any thread.
package protocol Mailer: Sendable {
  /// Hands over the mail. On return, a mail server has accepted it, or it is on disk.
  ///
  /// If the caller is canceled while the mail waits, the mail is not sent. A mail that is being sent continues.
  func send(_ mail: Mail) async throws(MailError)
}

/// The reason why a mail was not handed over.
package enum MailError: Error, Equatable {
  /// The mail server rejects this mail permanently, with this status (RFC 5321 §4.2.1), 500 to 599.
  case refused(status: Int)
  /// The mail could not be handed over this time, with the cause for the log. The cause contains neither the name nor
  /// the password of the account.
  case unavailable(String)
  /// The mail server got the mail and did not respond whether it accepts it, so the mail may arrive. With the cause for
  /// the log, like ``unavailable(_:)``.
  case unanswered(String)
  /// Too many mails are waiting.
  case overloaded
}
