/// Counts how often memes are shared, and sends them by mail.
package struct Sharing: Sendable {
  /// Mail servers take about 10 MB, and base64 adds a third: a larger picture is a link in the mail and no more.
  private static let maximumAttachmentBytes = 7 << 20

  private let shares: any ShareStore
  private let memes: any MemeStore
  private let mailer: any Mailer
  private let throttle: Throttle
  private let retrying: Retrying
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk takes more than numbers.
  package init(
    shares: any ShareStore, memes: any MemeStore, mailer: any Mailer, throttle: Throttle,
    retrying: Retrying, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.shares, self.memes, self.mailer, self.throttle) = (shares, memes, mailer, throttle)
    (self.retrying, self.digest, self.now, self.hasRoom) = (retrying, digest, now, hasRoom)
  }

  /// Counts that somebody shared the meme. When this returns it is durable.
  ///
  /// - Parameter retry: set where the request came with a key.
  /// - Throws: ``MemeError/keyInUse``, ``MemeError/keyReused``, ``MemeError/storageFull``; and what the store throws.
  package func record(
    _ channel: ShareChannel, of id: MemeID, by viewer: Viewer, under retry: Retry<Void>? = nil
  ) async throws(MemeError) -> Outcome {
    try await once(retry) { () async throws(MemeError) in
      try await count(channel, of: id, by: viewer, under: retry)
    }
  }

  /// Sends the meme by mail, with the picture, and counts it.
  ///
  /// The mail goes first, so that none is answered for that was never sent: where the process ends before the count is
  /// durable, the same request sends it again, under the same name.
  ///
  /// - Parameters:
  ///   - url: of the meme's public page.
  ///   - viewer: has to be signed in: a server that mails for anybody mails for spammers.
  ///   - retry: set where the request came with a key.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/throttled(_:)``, ``MemeError/mail(_:)``, then nothing is counted; and what
  ///   ``record(_:of:by:under:)`` throws.
  package func send(
    _ id: MemeID, to address: EmailAddress, url: String, by viewer: Viewer,
    under retry: Retry<Void>? = nil
  ) async throws(MemeError) -> Outcome {
    guard viewer.isSignedIn else { throw viewer == .anonymous ? .unauthorized : .forbidden }
    return try await once(retry) { () async throws(MemeError) in
      if let person = viewer.person { try throttle.take(.mail, for: .person(person)) }
      let mail = try await mail(about: id, to: address, url: url, by: viewer, under: retry)
      do throws(MailError) { try await mailer.send(mail) } catch { throw .mail(error) }
      return try await count(.email, of: id, by: viewer, under: retry)
    }
  }

  private func once(
    _ retry: Retry<Void>?, share: () async throws(MemeError) -> Outcome
  ) async throws(MemeError) -> Outcome {
    try await retrying.answer(retry, repeated: Outcome.repeated) { () async throws(MemeError) in
      // A share is a number, but a key is a row.
      guard retry == nil || hasRoom() else { throw .storageFull }
      return try await share()
    }
  }

  private func count(
    _ channel: ShareChannel, of id: MemeID, by viewer: Viewer, under retry: Retry<Void>?
  ) async throws(MemeError) -> Outcome {
    let time = now()
    let answer = retry?.first(making: (), id: id.uuid, at: time)
    let first = try await shares.countShare(
      of: id, by: viewer, on: channel, answering: answer, at: time)
    guard let first else { return .counted }
    return .repeated(try first.repeated(for: retry?.request))
  }

  private func mail(
    about id: MemeID, to address: EmailAddress, url: String, by viewer: Viewer,
    under retry: Retry<Void>?
  ) async throws(MemeError) -> Mail {
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

  /// What came of a share.
  package enum Outcome: Sendable {
    case counted
    /// The same request was answered before.
    case repeated(FirstAnswer)
  }
}
