import Bytes
import Foundation
import Memes

/// What all mails of a server have in common.
struct Letterhead: Sendable {
  let sender: EmailAddress
  let now: @Sendable () -> Timestamp

  /// The mail as it goes over the wire, or into a file (RFC 5322, RFC 2045).
  func message(_ mail: Mail) -> Bytes {
    let unique = UUID().uuidString.lowercased()
    var message = MessageWriter(boundary: "=_\(unique)")
    message.field("Date", MailDate.text(now()))
    message.field("From", sender.text)
    message.field("To", mail.to.text)
    message.field("Subject", EncodedWords.text(mail.subject.text, after: "Subject: "))
    // Many mailboxes show a mail once that comes twice with the same.
    message.field("Message-ID", "<\(mail.name?.hexadecimal ?? unique)@\(sender.domain)>")
    message.field("MIME-Version", "1.0")
    // Nobody's holiday notice is to answer it (RFC 3834 §5).
    message.field("Auto-Submitted", "auto-generated")
    message.write(mail)
    return message.finish()
  }
}
