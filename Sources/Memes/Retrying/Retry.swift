package import Bytes
package import Foundation

/// Names a request that its client may send again: the key that came with it, and whose key that is.
///
/// Only a digest is kept, so that neither keys nor addresses stand in the database.
package struct RetryKey: Hashable, Sendable {
  /// For so long a key stands for the request that it came with.
  package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

  package let digest: Digest

  /// - Parameters:
  ///   - text: what the client sent.
  ///   - viewer: the same text of another viewer is another key.
  ///   - address: tells viewers without credentials apart.
  package init(_ text: String, of viewer: Viewer, at address: String, _ digest: Digester) {
    let owner =
      switch viewer {
      case .admin: ["admin"]
      case .person(let id), .administrator(let id): ["person", id.description]
      case .anonymous, .holder: ["address", address]
      }
    self.digest = Digest(of: owner + [text], digest)
  }

  /// Keys that came at this moment or before are forgotten at `time`.
  package static func expiry(at time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 - lifetimeMilliseconds)
  }
}

/// A request that came with a key, and would make something.
package struct Retry<Made>: Sendable {
  package let key: RetryKey
  /// Of all that makes the request what it is: a request with another digest is another request.
  package let request: Digest
  /// What to keep of the answer, for when the request comes again. Nothing secret may be in it.
  package let answer: @Sendable (Made) -> Bytes

  package init(
    key: RetryKey, request: Digest, answer: @escaping @Sendable (Made) -> Bytes
  ) {
    (self.key, self.request, self.answer) = (key, request, answer)
  }

  /// What to keep with what was made.
  func first(making made: Made, id: UUID, at time: Timestamp) -> FirstAnswer {
    FirstAnswer(key: key, request: request, made: id, answer: answer(made), at: time)
  }
}

/// What was answered to the first request of a key.
package struct FirstAnswer: Sendable, Equatable {
  package let key: RetryKey
  package let request: Digest
  /// The id of what was made. It may have been changed or deleted since.
  package let made: UUID
  /// As ``Retry/answer`` gave it.
  package let answer: Bytes
  package let at: Timestamp

  package init(key: RetryKey, request: Digest, made: UUID, answer: Bytes, at time: Timestamp) {
    (self.key, self.request, self.made) = (key, request, made)
    (self.answer, at) = (answer, time)
  }

  /// - Throws: ``MemeError/keyReused`` where this is the answer to another request.
  func repeated(for request: Digest?) throws(MemeError) -> FirstAnswer {
    guard request == self.request else { throw .keyReused }
    return self
  }
}
