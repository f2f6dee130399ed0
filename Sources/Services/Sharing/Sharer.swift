package import Memes
package import Storage

/// Counts shares of memes, and sends memes by mail.
package struct Sharer: Sendable {
  /// Mail servers accept about 10 MB, and base64 adds a third. For a larger picture, the mail contains only the link.
  private static let maximumAttachmentBytes = 7 << 20

  private let memes: MemeStore
  private let mailer: any Mailer
  private let throttle: Throttle
  /// `nil` if the server sends no memes by mail.
  private let confirmations: EmailConfirmations?
  private let context: ServiceContext

  /// - Parameter confirmations: `nil` if the server sends no memes by mail.
  package init(
    memes: MemeStore, mailer: any Mailer, throttle: Throttle, confirmations: EmailConfirmations?,
    context: ServiceContext
  ) {
    (self.memes, self.mailer, self.throttle) = (memes, mailer, throttle)
    (self.confirmations, self.context) = (confirmations, context)
  }

  /// Counts a share of the meme. On return, the count is durable.
  ///
  /// - Parameter request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/keyInUse``, ``MemeError/keyReused``, ``MemeError/storageFull``; the errors of the store.
  package func record(
    _ channel: ShareChannel, of id: MemeID, by viewer: Principal,
    under request: IdempotentRequest<Void>? = nil
  ) async throws -> Outcome {
    try await once(request) {
      try await count(channel, of: id, by: viewer, under: request)
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
  ///   - request: `nil` if the request has no idempotency key.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/forbidden``, ``MemeError/shareMailOff``,
  ///   ``MemeError/emailUnconfirmed``, ``MemeError/throttled(_:)`` or ``MemeError/mail(_:)`` before anything
  ///   is counted; the errors of ``record(_:of:by:under:)``.
  package func send(
    _ id: MemeID, to address: EmailAddress, url: String, by viewer: Principal,
    under request: IdempotentRequest<Void>? = nil
  ) async throws -> Outcome {
    guard viewer.isSignedIn else {
      throw viewer == .anonymous ? MemeError.unauthorized : MemeError.forbidden
    }
    guard let confirmations else { throw MemeError.shareMailOff }
    return try await once(request) {
      try await confirmations.checkSender(viewer)
      if let person = viewer.person { try throttle.take(.mail, for: .person(person)) }
      let mail = try await mail(about: id, to: address, url: url, by: viewer, under: request)
      do throws(MailError) { try await mailer.send(mail) } catch { throw MemeError.mail(error) }
      return try await count(.email, of: id, by: viewer, under: request)
    }
  }

  private func once(
    _ request: IdempotentRequest<Void>?, share: () async throws -> Outcome
  ) async throws -> Outcome {
    try await context.idempotency.perform(request, repeated: Outcome.repeated) {
      // A share only changes a number, but a key needs a row.
      guard request == nil || context.hasRoom() else { throw MemeError.storageFull }
      return try await share()
    }
  }

  private func count(
    _ channel: ShareChannel, of id: MemeID, by viewer: Principal,
    under request: IdempotentRequest<Void>?
  ) async throws -> Outcome {
    let time = context.now()
    let record = request?.record(of: (), id: id.uuid, at: time)
    let first = try await memes.countShare(
      of: id, by: viewer, on: channel, recording: record, at: time)
    guard let first else { return .counted }
    return .repeated(try first.repeated(for: request?.digest))
  }

  private func mail(
    about id: MemeID, to address: EmailAddress, url: String, by viewer: Principal,
    under request: IdempotentRequest<Void>?
  ) async throws -> Mail {
    let meme = try await memes.meme(id, for: viewer)
    var attachments: [MailAttachment] = []
    if meme.image.byteCount <= Self.maximumAttachmentBytes {
      let file = try await memes.picture(.image, of: id, for: viewer).file.loaded()
      attachments.append(MailAttachment(file, name: file.facts.format.fileName("meme")))
    }
    let title = meme.title
    let name = request.map { request in
      Digest(of: [request.key.digest.hexadecimal, request.digest.hexadecimal], context.digest)
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
