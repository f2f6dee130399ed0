package import Foundation

/// The ID of a resource: a UUID of any version, written in lowercase.
package protocol Identifier: Hashable, Sendable, CustomStringConvertible {
  var uuid: UUID { get }

  init(_ uuid: UUID)
}

extension Identifier {
  /// Parses the usual 36 characters, in either case.
  package init?(_ text: String) {
    guard let uuid = UUID(written: text) else { return nil }
    self.init(uuid)
  }

  /// A new ID that sorts by its creation time: a UUIDv7 (RFC 9562 §5.7).
  ///
  /// - Parameter random: the source of the random bits. The time, the version and the variant replace the others.
  package static func version7(at time: Timestamp, random: UUID) -> Self {
    var bytes = random.uuid
    let milliseconds = UInt64(clamping: time.millisecondsSince1970)
    bytes.0 = UInt8(truncatingIfNeeded: milliseconds >> 40)
    bytes.1 = UInt8(truncatingIfNeeded: milliseconds >> 32)
    bytes.2 = UInt8(truncatingIfNeeded: milliseconds >> 24)
    bytes.3 = UInt8(truncatingIfNeeded: milliseconds >> 16)
    bytes.4 = UInt8(truncatingIfNeeded: milliseconds >> 8)
    bytes.5 = UInt8(truncatingIfNeeded: milliseconds)
    // A random UUID has version 4. Its six fixed bits are exactly those of the version and the variant.
    bytes.6 = (bytes.6 & 0x0F) | 0x70
    return Self(UUID(uuid: bytes))
  }

  /// An ID derived from content: the beginning of its digest as a UUID version 8 (RFC 9562 §5.8).
  package static func version8(_ digest: Digest) -> Self {
    var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: digest.bytes.prefix(16)) }
    id.6 = (id.6 & 0x0F) | 0x80
    id.8 = (id.8 & 0x3F) | 0x80
    return Self(UUID(uuid: id))
  }

  package var description: String { uuid.written }
}
