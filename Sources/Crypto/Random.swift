import CSodium
package import Foundation

/// The system's cryptographically secure random number generator. Safe to use from any thread.
package enum Random {
  // libsodium must be initialized before threads share its generator. Swift initializes a static property only once.
  private static let initialized = sodium_init()

  package static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { fill($0) }
    return bytes
  }

  /// A version 4 UUID with 122 random bits (RFC 9562 §5.4). It cannot be guessed, so it
  /// can be the secret name of an object.
  package static func uuid() -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { fill($0) }
    uuid.6 = (uuid.6 & 0x0F) | 0x40
    uuid.8 = (uuid.8 & 0x3F) | 0x80
    return UUID(uuid: uuid)
  }

  /// Call this before any libsodium function that uses randomness.
  static func prepare() {
    // -1 means that the system provides no randomness, so no secret would be safe.
    precondition(initialized >= 0, "libsodium cannot be initialized")
  }

  static func fill(_ memory: UnsafeMutableRawBufferPointer) {
    prepare()
    if let start = memory.baseAddress { randombytes_buf(start, memory.count) }
  }
}
