package import Bytes
package import Foundation

/// Identifies a request that the client may repeat, by its idempotency key and the owner of the key.
///
/// Only a digest is stored, so the database contains neither keys nor addresses.
package struct StoredIdempotencyKey: Hashable, Sendable {
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
      case .anonymous, .deleteTokenHolder: ["address", address]
      }
    self.digest = Digest(of: owner + [text], digest)
  }

  /// At `time`, keys from this moment or earlier have expired.
  package static func expiry(at time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 - lifetimeMilliseconds)
  }
}

/// A request with an idempotency key that creates something.
package struct IdempotentRequest<Made>: Sendable {
  package let key: StoredIdempotencyKey
  /// A digest of everything that defines the request. A request with another digest is a different one.
  package let digest: Digest
  /// Makes the response that is stored for repeated requests. It must not contain secrets.
  package let response: @Sendable (Made) -> Bytes

  package init(
    key: StoredIdempotencyKey, digest: Digest, response: @escaping @Sendable (Made) -> Bytes
  ) {
    (self.key, self.digest, self.response) = (key, digest, response)
  }

  /// The record to store together with the new item.
  package func record(of made: Made, id: UUID, at time: Timestamp) -> IdempotencyRecord {
    IdempotencyRecord(key: key, request: digest, made: id, response: response(made), at: time)
  }
}

/// The stored response to the first request with a key.
package struct IdempotencyRecord: Sendable, Equatable {
  package let key: StoredIdempotencyKey
  /// The digest of the request.
  package let request: Digest
  /// The ID of the created item. The item may have been changed or deleted since.
  package let made: UUID
  /// The result of ``IdempotentRequest/response``.
  package let response: Bytes
  package let at: Timestamp

  package init(
    key: StoredIdempotencyKey, request: Digest, made: UUID, response: Bytes, at time: Timestamp
  ) {
    (self.key, self.request, self.made) = (key, request, made)
    (self.response, at) = (response, time)
  }

  /// The record itself, as the response to a repeated request.
  ///
  /// - Parameter request: the digest of the repeated request.
  /// - Throws: ``MemeError/keyReused`` if this is the response to a different request.
  package func repeated(for request: Digest?) throws -> IdempotencyRecord {
    guard request == self.request else { throw MemeError.keyReused }
    return self
  }
}
