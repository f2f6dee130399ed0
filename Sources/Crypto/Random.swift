import CSodium
package import Foundation

/// The system's source of unpredictable bytes. Safe to use from any thread.
package enum Random {
  // libsodium asks to be initialized before its generator is shared by threads; Swift does this once.
  private static let initialized = sodium_init()

  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { fill($0) }
    return bytes
  }

  /// A UUID of version 4, which has 122 random bits (RFC 9562 §5.4): for what only those may have who know its name.
  package static func uuid() -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { fill($0) }
    uuid.6 = (uuid.6 & 0x0F) | 0x40
    uuid.8 = (uuid.8 & 0x3F) | 0x80
    return UUID(uuid: uuid)
  }

  /// Has to come before whatever of libsodium uses randomness.
  static func prepare() {
    // -1 would mean that the system has no randomness: nothing can be kept secret then.
    precondition(initialized >= 0, "libsodium cannot be initialized")
  }

  static func fill(_ memory: UnsafeMutableRawBufferPointer) {
    prepare()
    if let start = memory.baseAddress { randombytes_buf(start, memory.count) }
  }
}
