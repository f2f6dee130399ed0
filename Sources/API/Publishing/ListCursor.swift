import HTTP
import Memes

/// A place in a list as clients hold it: opaque, and refused where it is not one that was handed out.
enum ListCursor {
  /// Tells this form of cursor from later ones.
  private static let form: UInt128 = 1
  /// The digits of base64url (RFC 4648 §5).
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The form's 8 bits and the 64 of the place, six in each digit.
  private static let length = 12

  static func encode(_ position: ListPosition) -> String {
    var rest = form << 64 | UInt128(UInt64(bitPattern: position.sequence))
    return String(unsafeUninitializedCapacity: length) { text in
      for index in (0..<length).reversed() {
        text[index] = digits[Int(rest & 63)]
        rest >>= 6
      }
      return length
    }
  }

  /// - Throws: 400 where `text` is not a cursor.
  static func decode(_ text: String) throws(Problem) -> ListPosition {
    var bits: UInt128 = 0
    for byte in text.utf8.prefix(length + 1) {
      guard let digit = digits.firstIndex(of: byte) else { throw Problem(.invalidCursor) }
      bits = bits << 6 | UInt128(digit)
    }
    let sequence = Int64(truncatingIfNeeded: bits)
    guard text.utf8.count == length, bits >> 64 == form, sequence > 0 else {
      throw Problem(.invalidCursor)
    }
    return ListPosition(sequence: sequence)
  }
}
