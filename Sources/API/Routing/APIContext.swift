package import Bytes
package import Memes

/// What several groups of routes share: the clock, digests, URLs, and the treatment of request bodies.
package struct APIContext: Sendable {
  /// The prefix of every URL in responses, without a trailing slash.
  package let basePath: String
  /// SHA-256: entity tags, session tokens, idempotency keys.
  package let digest: Digester
  /// The clock: times of changes, and the expiry of sessions.
  package let now: @Sendable () -> Timestamp
  /// Where request bodies are stored while they arrive.
  package let spool: SpoolPlace
  /// The maximum size of an uploaded picture.
  package let maxUploadBytes: Int

  package init(
    basePath: String, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp,
    spool: SpoolPlace, maxUploadBytes: Int
  ) {
    (self.basePath, self.digest, self.now) = (basePath, digest, now)
    (self.spool, self.maxUploadBytes) = (spool, maxUploadBytes)
  }
}

extension APIContext {
  /// A JSON body of small fields, without pictures.
  var fieldsBody: Route.Body {
    .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
  }
}
