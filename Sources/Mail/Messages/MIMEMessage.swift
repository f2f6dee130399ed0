import Bytes
import Foundation
import Memes

/// Formats the mails of a server, which all have the same sender.
struct MIMEMessage: Sendable {
  let sender: EmailAddress
  let now: @Sendable () -> Timestamp

  /// The message in the format of the wire and of mail files (RFC 5322, RFC 2045).
  func message(_ mail: Mail) -> Bytes {
    let unique = UUID().uuidString.lowercased()
    var message = MessageWriter(boundary: "=_\(unique)")
    message.field("Date", "\(now().internetText) +0000")
    message.field("From", sender.text)
    message.field("To", mail.to.text)
    message.field("Subject", EncodedWords.text(mail.subject.text, after: "Subject: "))
    // Many mailboxes show mails with the same Message-ID only once.
    message.field("Message-ID", "<\(mail.name?.hexadecimal ?? unique)@\(sender.domain)>")
    message.field("MIME-Version", "1.0")
    // Prevents automatic replies such as vacation notices (RFC 3834 §5).
    message.field("Auto-Submitted", "auto-generated")
    message.write(mail)
    return message.finish()
  }
}
