/// Counts how often memes are shared, and sends them by mail.
package struct Sharing: Sendable {
  /// Mail servers take about 10 MB, and base64 adds a third: a larger picture is a link in the mail and no more.
  private static let maximumAttachmentBytes = 7 << 20

  private let shares: any ShareStore
  private let memes: any MemeStore
  private let mailer: any Mailer

  package init(shares: any ShareStore, memes: any MemeStore, mailer: any Mailer) {
    (self.shares, self.memes, self.mailer) = (shares, memes, mailer)
  }

  /// Counts that somebody shared the meme. When this returns it is durable.
  package func record(_ channel: ShareChannel, of id: MemeID) async throws(MemeError) {
    try await shares.countShare(of: id, on: channel)
  }

  /// Sends the meme by mail, with the picture, and counts it.
  ///
  /// - Parameters:
  ///   - url: of the meme's public page.
  ///   - viewer: has to be signed in: a server that mails for anybody mails for spammers.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/mail(_:)``; then nothing is counted.
  package func send(
    _ id: MemeID, to address: EmailAddress, url: String, by viewer: Viewer
  ) async throws(MemeError) {
    guard viewer.isSignedIn else { throw viewer == .anonymous ? .unauthorized : .forbidden }
    let meme = try await memes.meme(id)
    var attachments: [MailAttachment] = []
    if meme.image.byteCount <= Self.maximumAttachmentBytes {
      let file = try await memes.picture(.image, of: id).file
      attachments.append(MailAttachment(file, name: file.facts.format.fileName("meme")))
    }
    let title = meme.title
    let mail = Mail(
      to: address, subject: MailSubject(title), text: "\(title)\n\n\(url)\n",
      attachments: attachments)
    do throws(MailError) { try await mailer.send(mail) } catch { throw .mail(error) }
    try await record(.email, of: id)
  }
}
