package import Memes
package import Storage

/// Counts shares of memes, and sends memes by mail.
package struct Sharing: Sendable {
  /// Mail servers accept about 10 MB, and base64 adds a third. For a larger picture, the mail contains only the link.
  private static let maximumAttachmentBytes = 7 << 20

  private let shares: MemeStore
  private let memes: MemeStore
  private let mailer: any Mailer
  private let throttle: Throttle
  private let retrying: Retrying
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk has room for more rows. Counting a share needs none.
  package init(
    shares: MemeStore, memes: MemeStore, mailer: any Mailer, throttle: Throttle,
    retrying: Retrying, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.shares, self.memes, self.mailer, self.throttle) = (shares, memes, mailer, throttle)
    (self.retrying, self.digest, self.now, self.hasRoom) = (retrying, digest, now, hasRoom)
  }

  /// Counts a share of the meme. On return, the count is durable.
  ///
  /// - Parameter retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/keyInUse``, ``MemeError/keyReused``, ``MemeError/storageFull``; the errors of the store.
  package func record(
    _ channel: ShareChannel, of id: MemeID, by viewer: Principal, under retry: Retry<Void>? = nil
  ) async throws -> Outcome {
    try await once(retry) {
      try await count(channel, of: id, by: viewer, under: retry)
    }
  }

  /// Sends the meme with its picture by mail, and counts the share.
  ///
  /// The mail is sent before the count is stored, so that no success is reported for an unsent mail. If the process
  /// ends in between, repeating the request sends the mail again with the same name.
  ///
  /// - Parameters:
  ///   - url: the URL of the meme's public page.
  ///   - viewer: must be signed in, because spammers would abuse an open mail relay.
  ///   - retry: set if the request has an idempotency key.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/forbidden``, ``MemeError/throttled(_:)`` or
  ///   ``MemeError/mail(_:)`` before anything is counted; the errors of ``record(_:of:by:under:)``.
  package func send(
    _ id: MemeID, to address: EmailAddress, url: String, by viewer: Principal,
    under retry: Retry<Void>? = nil
  ) async throws -> Outcome {
    guard viewer.isSignedIn else {
      throw viewer == .anonymous ? MemeError.unauthorized : MemeError.forbidden
    }
    return try await once(retry) {
      if let person = viewer.person { try throttle.take(.mail, for: .person(person)) }
      let mail = try await mail(about: id, to: address, url: url, by: viewer, under: retry)
      do throws(MailError) { try await mailer.send(mail) } catch { throw MemeError.mail(error) }
      return try await count(.email, of: id, by: viewer, under: retry)
    }
  }

  private func once(
    _ retry: Retry<Void>?, share: () async throws -> Outcome
  ) async throws -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) {
      // A share changes a number, but a key needs a row.
      guard retry == nil || hasRoom() else { throw MemeError.storageFull }
      return try await share()
    }
  }

  private func count(
    _ channel: ShareChannel, of id: MemeID, by viewer: Principal, under retry: Retry<Void>?
  ) async throws -> Outcome {
    let time = now()
    let answer = retry?.first(making: (), id: id.uuid, at: time)
    let first = try await shares.countShare(
      of: id, by: viewer, on: channel, answering: answer, at: time)
    guard let first else { return .counted }
    return .repeated(try first.repeated(for: retry?.request))
  }

  private func mail(
    about id: MemeID, to address: EmailAddress, url: String, by viewer: Principal,
    under retry: Retry<Void>?
  ) async throws -> Mail {
    let meme = try await memes.meme(id, for: viewer)
    var attachments: [MailAttachment] = []
    if meme.image.byteCount <= Self.maximumAttachmentBytes {
      let file = try await memes.picture(.image, of: id, for: viewer).file
      attachments.append(MailAttachment(file, name: file.facts.format.fileName("meme")))
    }
    let title = meme.title
    let name = retry.map { retry in
      Digest(of: [retry.key.digest.hexadecimal, retry.request.hexadecimal], digest)
    }
    return Mail(
      to: address, subject: MailSubject(title), text: "\(title)\n\n\(url)\n",
      attachments: attachments, name: name)
  }

  /// The result of a share.
  package enum Outcome: Sendable {
    case counted
    /// The stored response of an earlier request with the same key.
    case repeated(IdempotencyRecord)
  }
}
