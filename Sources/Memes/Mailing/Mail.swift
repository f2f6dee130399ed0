/// A mail to one person: a text, and files.
package struct Mail: Sendable {
  package let to: EmailAddress
  package let subject: MailSubject
  /// Plain text; a line ends with a line feed.
  package let text: String
  package let attachments: [MailAttachment]
  /// The same where a mail may have been sent before, so that a mailbox can tell; `nil`: it is a new one.
  package let name: Digest?

  package init(
    to: EmailAddress, subject: MailSubject, text: String, attachments: [MailAttachment] = [],
    name: Digest? = nil
  ) {
    (self.to, self.subject, self.text) = (to, subject, text)
    (self.attachments, self.name) = (attachments, name)
  }
}

/// What a mail is about, in one line.
package struct MailSubject: Hashable, Sendable {
  package static let maximumCharacters = 200

  package let text: String

  /// - Parameter text: anything. Line ends, other control characters and runs of blanks become one space; what is longer
  ///   than ``maximumCharacters`` is cut.
  package init(_ text: String) {
    let words = text.unicodeScalars.split {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
    self.text = String(
      words.map { String($0) }.joined(separator: " ").prefix(Self.maximumCharacters))
  }
}

/// A picture that goes with a mail.
package struct MailAttachment: Sendable {
  package let picture: PictureFile
  /// The name that it is saved under.
  package let name: String

  package init(_ picture: PictureFile, name: String) { (self.picture, self.name) = (picture, name) }
}
