import Bytes
import Files
import Foundation
package import Memes

/// Writes each mail to a file in a folder. For servers without a mail server, and for development.
package struct OutboxMailer: Mailer {
  private let folder: String
  private let letterhead: MIMEMessage
  private let thread = MailThread()

  /// - Parameters:
  ///   - folder: created with mode 0700 when the first mail is sent.
  ///   - sender: the sender of all mails.
  package init(
    folder: String, sender: EmailAddress, now: @escaping @Sendable () -> Timestamp
  ) {
    self.folder = folder
    letterhead = MIMEMessage(sender: sender, now: now)
  }

  package func send(_ mail: Mail) async throws(MailError) {
    let message = letterhead.message(mail)
    // The name begins with the time, so that listings are in the order of sending.
    let name = "\(letterhead.now())".replacing(":", with: "") + "-" + UUID().uuidString.lowercased()
    try await thread.run { [folder] () throws(MailError) in
      try Self.write(message, to: "\(folder)/\(name).eml", in: folder)
    }
  }

  /// Writes the file (mode 0600) completely or not at all, even if the machine crashes in between.
  private static func write(
    _ message: Bytes, to path: String, in folder: String
  ) throws(MailError) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failed("mkdir") }
    let draft = "\(path).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failed("open") }
    defer {
      close(file)
      unlink(draft)
    }
    do throws(FileError) {
      try Files.write(message, to: file, path: draft)
      try Files.sync(file, path: draft)
      guard rename(draft, path) == 0 else { throw FileError("rename", draft) }
      try Files.sync(folder)
    } catch { throw .unavailable("outbox: \(error)") }
  }

  private static func failed(_ call: String) -> MailError {
    .unavailable("outbox: \(call): \(String(cString: strerror(errno)))")
  }
}
