import Bytes
package import Foundation

/// Names one meme: a UUID of any version, written in lower case.
package struct MemeID: Hashable, Sendable {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }

  /// Reads the usual 36 characters, in either case.
  package init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    var text = text
    let isValid = text.withUTF8 { text in
      withUnsafeMutableBytes(of: &uuid) { bytes in
        var place = 0
        for index in bytes.indices {
          if Self.isHyphen(place) {
            guard text[place] == UInt8(ascii: "-") else { return false }
            place += 1
          }
          guard let high = Hexadecimal.value(of: text[place]),
            let low = Hexadecimal.value(of: text[place + 1])
          else { return false }
          bytes[index] = high << 4 | low
          place += 2
        }
        return true
      }
    }
    guard isValid else { return nil }
    self.uuid = UUID(uuid: uuid)
  }

  /// Whether the written form has a hyphen in this place.
  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }

  /// A new id that sorts by the time at which it was made: UUIDv7 (RFC 9562 §5.7).
  ///
  /// - Parameter random: ten random bytes follow the time; six bits of them give way to version and variant.
  package static func version7(at time: Timestamp, random: UUID) -> MemeID {
    var bytes = random.uuid
    let milliseconds = UInt64(clamping: time.millisecondsSince1970)
    bytes.0 = UInt8(truncatingIfNeeded: milliseconds >> 40)
    bytes.1 = UInt8(truncatingIfNeeded: milliseconds >> 32)
    bytes.2 = UInt8(truncatingIfNeeded: milliseconds >> 24)
    bytes.3 = UInt8(truncatingIfNeeded: milliseconds >> 16)
    bytes.4 = UInt8(truncatingIfNeeded: milliseconds >> 8)
    bytes.5 = UInt8(truncatingIfNeeded: milliseconds)
    // A random UUID is of version 4: its six fixed bits are not random, but they are exactly those replaced here.
    bytes.6 = (bytes.6 & 0x0F) | 0x70
    return MemeID(UUID(uuid: bytes))
  }
}

extension MemeID: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      withUnsafeBytes(of: uuid.uuid) { bytes in
        for byte in bytes {
          if Self.isHyphen(place) {
            text[place] = UInt8(ascii: "-")
            place += 1
          }
          text[place] = Hexadecimal.digit(byte >> 4)
          text[place + 1] = Hexadecimal.digit(byte & 15)
          place += 2
        }
      }
      return place
    }
  }
}
