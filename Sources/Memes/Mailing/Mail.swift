/// A mail to one recipient, with text and attachments.
package struct Mail: Sendable {
  package let to: EmailAddress
  package let subject: MailSubject
  /// Plain text; lines end with a line feed.
  package let text: String
  package let attachments: [MailAttachment]
  /// Identifies the mail. Mails that may be duplicates have the same digest, so that a mailbox can detect them; `nil`
  /// for a new mail.
  package let name: Digest?

  package init(
    to: EmailAddress, subject: MailSubject, text: String, attachments: [MailAttachment] = [],
    name: Digest? = nil
  ) {
    (self.to, self.subject, self.text) = (to, subject, text)
    (self.attachments, self.name) = (attachments, name)
  }
}

/// The subject of a mail, on one line.
package struct MailSubject: Hashable, Sendable {
  package static let maximumCharacters = 200

  package let text: String

  /// - Parameter text: any text. Line ends, other control characters and runs of whitespace are replaced with one
  ///   space. Text longer than ``maximumCharacters`` is truncated.
  package init(_ text: String) {
    let words = text.unicodeScalars.split {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
    self.text = String(
      words.map { String($0) }.joined(separator: " ").prefix(Self.maximumCharacters))
  }
}

/// A picture attached to a mail.
package struct MailAttachment: Sendable {
  package let picture: PictureFile
  /// The file name of the attachment.
  package let name: String

  package init(_ picture: PictureFile, name: String) { (self.picture, self.name) = (picture, name) }
}
