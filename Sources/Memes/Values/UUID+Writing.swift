import Bytes
import Foundation

/// The text form of all IDs: 36 lowercase characters, parsed in either case (RFC 9562 §4).
extension UUID {
  init?(written text: String) {
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
    self.init(uuid: uuid)
  }

  var written: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      withUnsafeBytes(of: uuid) { bytes in
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

  /// Whether the text form has a hyphen at this position.
  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }
}
