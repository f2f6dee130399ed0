import Bytes
package import Memes

/// Hands mail to a mail server by SMTP (RFC 5321).
package struct SMTPMailer: Mailer {
  private let server: SMTPServer
  private let letterhead: Letterhead
  private let limits: Limits
  private let authorities: String?
  private let thread = MailThread()

  /// How long a mail server may take.
  package struct Limits: Sendable {
    package var connectSeconds = 10
    /// From when somebody sends it, its wait for others among it: less than a request may take.
    package var wholeSeconds = 20

    package init() {}
  }

  /// - Parameters:
  ///   - sender: who the mails are from.
  ///   - authorities: a file in PEM of who may vouch for the server; `nil` for those that the machine trusts.
  package init(
    server: SMTPServer, sender: EmailAddress, now: @escaping @Sendable () -> Timestamp,
    limits: Limits = Limits(), authorities: String? = nil
  ) {
    (self.server, self.limits, self.authorities) = (server, limits, authorities)
    letterhead = Letterhead(sender: sender, now: now)
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
