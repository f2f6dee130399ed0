package import mememe

extension Settings {
  /// Has the server send its mail through `mail`, with links to `https://memes.example`.
  package mutating func sendMail(through mail: MailServer) throws {
    let settings = try Settings(
      environment: [
        "MEMEME_SMTP_URL": "smtp://127.0.0.1:\(mail.port)", "MEMEME_MAIL_FROM": "me@example.org",
        "MEMEME_PUBLIC_URL": "https://memes.example",
      ], flags: [])
    (mailServer, mailSender) = (settings.mailServer, settings.mailSender)
    publicURL = settings.publicURL
  }
}
