/// Sends mail. Safe to use from any thread.
package protocol Mailer: Sendable {
  /// Hands the mail over. When this returns, somebody else is answerable for it: a mail server that has accepted it, or the
  /// disk.
  ///
  /// A caller that is cancelled while the mail waits for its turn takes it back; a mail that is on its way goes on.
  func send(_ mail: Mail) async throws(MailError)
}

/// Why a mail was not handed over.
package enum MailError: Error, Equatable {
  /// The mail server will not take this mail, now or later: the status of its answer (RFC 5321 §4.2.1), 500 to 599.
  case refused(status: Int)
  /// The mail was not taken this time; why, for the log. Neither the name nor the password of the account is in it.
  case unavailable(String)
  /// Too many mails wait already.
  case overloaded
}
