package import Foundation

/// The ID of a notification in its current state. It changes when more activity joins the notification.
///
/// A UUIDv7 (RFC 9562 §5.7) without random bits. It is unique among a recipient's notifications, because each has
/// another place in their order.
package struct NotificationID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }

  /// - Parameter time: the time of the last activity.
  package init(place: Int64, at time: Timestamp) {
    let tail = UInt64(clamping: place) & Self.places | Self.variant
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: tail.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self = .version7(at: time, random: UUID(uuid: bytes))
  }

  /// The place; `nil` if the ID was not made from one.
  package var place: Int64? {
    let (head, tail) = withUnsafeBytes(of: uuid.uuid) { bytes in
      (
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    guard head == 0x7000, tail & ~Self.places == Self.variant else { return nil }
    return Int64(tail & Self.places)
  }

  /// The bits for the place, and the bits of the variant.
  private static let places: UInt64 = 1 << 62 - 1
  private static let variant: UInt64 = 1 << 63
}
