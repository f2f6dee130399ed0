import Mail
import Memes
import Storage

extension Server {
  /// Sends mail to the mail server in the settings. Without one, writes it to a folder in the data folder.
  static func mailer(
    _ settings: Settings, in folder: DataFolder, now: @escaping @Sendable () -> Timestamp
  ) throws -> any Mailer {
    let sender = try settings.mailSender ?? EmailAddress(Settings.standardMailSender)
    guard let server = settings.mailServer else {
      return OutboxMailer(folder: folder.path(of: "outbox"), sender: sender, now: now)
    }
    return SMTPMailer(server: server, sender: sender, now: now)
  }
}
