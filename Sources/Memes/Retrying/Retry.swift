package import Bytes
package import Foundation

/// Identifies a request that the client may repeat, by its idempotency key and the owner of the key.
///
/// Only a digest is stored, so the database contains neither keys nor addresses.
package struct RetryKey: Hashable, Sendable {
  /// How long a key is valid.
  package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

  package let digest: Digest

  /// - Parameters:
  ///   - text: the key that the client sent.
  ///   - viewer: different viewers can use the same text for different requests.
  ///   - address: distinguishes callers without credentials.
  package init(_ text: String, of viewer: Principal, at address: String, _ digest: Digester) {
    let owner =
      switch viewer {
      case .admin: ["admin"]
      case .person(let id), .administrator(let id): ["person", id.description]
      case .anonymous, .holder: ["address", address]
      }
    self.digest = Digest(of: owner + [text], digest)
  }

  /// At `time`, keys from this moment or earlier have expired.
  package static func expiry(at time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 - lifetimeMilliseconds)
  }
}

/// A request with an idempotency key that creates something.
package struct Retry<Made>: Sendable {
  package let key: RetryKey
  /// A digest of everything that defines the request. A request with another digest is a different one.
  package let request: Digest
  /// Makes the response to store for a repeated request. It must not contain secrets.
  package let answer: @Sendable (Made) -> Bytes

  package init(
    key: RetryKey, request: Digest, answer: @escaping @Sendable (Made) -> Bytes
  ) {
    (self.key, self.request, self.answer) = (key, request, answer)
  }

  /// The response to store together with the new item.
  package func first(making made: Made, id: UUID, at time: Timestamp) -> IdempotencyRecord {
    IdempotencyRecord(key: key, request: request, made: id, answer: answer(made), at: time)
  }
}

/// The stored response to the first request with a key.
package struct IdempotencyRecord: Sendable, Equatable {
  package let key: RetryKey
  package let request: Digest
  /// The ID of the created item. The item may have been changed or deleted since.
  package let made: UUID
  /// The result of ``Retry/answer``.
  package let answer: Bytes
  package let at: Timestamp

  package init(key: RetryKey, request: Digest, made: UUID, answer: Bytes, at time: Timestamp) {
    (self.key, self.request, self.made) = (key, request, made)
    (self.answer, at) = (answer, time)
  }

  /// - Throws: ``MemeError/keyReused`` if this is the response to a different request.
  package func repeated(for request: Digest?) throws -> IdempotencyRecord {
    guard request == self.request else { throw MemeError.keyReused }
    return self
  }
}
