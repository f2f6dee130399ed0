import Bytes
import Foundation
package import Memes

/// Puts mail into a folder, one file for each: for servers that have no mail server, and for whoever develops.
package struct OutboxMailer: Mailer {
  private let folder: String
  private let letterhead: Letterhead
  private let thread = MailThread()

  /// - Parameters:
  ///   - folder: is made (mode 0700) with the first mail.
  ///   - sender: who the mails are from.
  package init(
    folder: String, sender: EmailAddress, now: @escaping @Sendable () -> Timestamp
  ) {
    self.folder = folder
    letterhead = Letterhead(sender: sender, now: now)
  }

  package func send(_ mail: Mail) async throws(MailError) {
    let message = letterhead.message(mail)
    // The time comes first, so that a listing is in the order of sending.
    let name = "\(letterhead.now())".replacing(":", with: "") + "-" + UUID().uuidString.lowercased()
    try await thread.run { [folder] () throws(MailError) in
      try Self.write(message, to: "\(folder)/\(name).eml", in: folder)
    }
  }

  /// Writes the file (mode 0600) whole or not at all, even if the machine goes down meanwhile.
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
    try message.withUnsafeBytes { bytes throws(MailError) in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 else { throw failed("write") }
        rest = rest.dropFirst(count)
      }
    }
    guard fsync(file) == 0 else { throw failed("fsync") }
    guard rename(draft, path) == 0 else { throw failed("rename") }
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw failed("open") }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw failed("fsync") }
  }

  private static func failed(_ call: String) -> MailError {
    .unavailable("outbox: \(call): \(String(cString: strerror(errno)))")
  }
}
