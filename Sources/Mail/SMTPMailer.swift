import Bytes
package import Memes

/// Sends mail through a mail server by SMTP (RFC 5321).
package struct SMTPMailer: Mailer {
  private let server: SMTPServer
  private let letterhead: MIMEMessage
  private let limits: Limits
  private let authorities: String?
  private let thread = MailThread()

  /// The time limits of a delivery.
  package struct Limits: Sendable {
    package var connectSeconds = 10
    /// The time limit of `send`, including the wait in the queue. It must be less than the time limit of a request.
    package var wholeSeconds = 20

    package init() {}
  }

  /// - Parameters:
  ///   - sender: the sender of all mails.
  ///   - authorities: a PEM file of certificate authorities to trust; `nil` for those of the machine.
  package init(
    server: SMTPServer, sender: EmailAddress, now: @escaping @Sendable () -> Timestamp,
    limits: Limits = Limits(), authorities: String? = nil
  ) {
    (self.server, self.limits, self.authorities) = (server, limits, authorities)
    letterhead = MIMEMessage(sender: sender, now: now)
  }

  package func send(_ mail: Mail) async throws(MailError) {
    let message = letterhead.message(mail)
    let deadline = ContinuousClock.now + .seconds(limits.wholeSeconds)
    try await thread.run { [self] () throws(MailError) in
      let transfer = try SMTPTransfer(of: message)
      try transfer.prepare(
        for: server, limits, within: deadline - .now, authorities: authorities)
      try transfer.send(from: letterhead.sender, to: mail.to)
    }
  }
}
