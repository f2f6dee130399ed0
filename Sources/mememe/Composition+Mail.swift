import Mail
import Memes
import Storage

extension Server {
  /// What sends mail: the mail server of the settings, else a folder in the data folder.
  static func mailer(
    _ settings: Settings, in folder: DataFolder, now: @escaping @Sendable () -> Timestamp
  ) throws -> any Mailer {
    let sender = try settings.mailSender ?? EmailAddress("mememe@localhost")
    guard let server = settings.mailServer else {
      return OutboxMailer(folder: folder.path(of: "outbox"), sender: sender, now: now)
    }
    return SMTPMailer(server: server, sender: sender, now: now)
  }
}
