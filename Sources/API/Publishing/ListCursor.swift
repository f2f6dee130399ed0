import HTTP
import Memes

/// A position in a list, as an opaque string. The server rejects strings that are not cursors.
enum ListCursor {
  /// Distinguishes the cursor formats from each other and from later ones. Some lists need a rank in addition
  /// to the sequence number.
  private enum Form: UInt128 {
    case numbered = 1
    case matching = 2
    // 3 is the format of ``PersonCursor``.
    case popular = 4

    init(_ ranking: ListPosition.Ranking?) {
      switch ranking {
      case nil: self = .numbered
      case .match: self = .matching
      case .popularity: self = .popular
      }
    }

    /// The number of digits, with six bits each: 8 bits for the form, 56 for a rank, 64 for the sequence number.
    var length: Int { self == .numbered ? 12 : 22 }
    /// The number of bits below those of the form.
    var bits: Int { self == .numbered ? 64 : 120 }
  }

  /// The digits of base64url (RFC 4648 §5).
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ position: ListPosition) -> String {
    let form = Form(position.ranking)
    var rest = form.rawValue << form.bits | UInt128(UInt64(bitPattern: position.sequence))
    if let rank = position.rank { rest |= UInt128(UInt64(bitPattern: rank)) << 64 }
    return String(unsafeUninitializedCapacity: form.length) { text in
      for index in (0..<form.length).reversed() {
        text[index] = digits[Int(rest & 63)]
        rest >>= 6
      }
      return form.length
    }
  }

  /// Decodes a position in a list that is ordered by sequence number.
  ///
  /// - Throws: `invalidCursor` if `text` is not a cursor of such a list.
  static func decode(_ text: String) throws(Problem) -> ListPosition { try decode(text, by: nil) }

  /// Decodes a position in a list that is ordered by `ranking`, and by sequence number within a rank.
  ///
  /// - Throws: `invalidCursor` if `text` is not a cursor of such a list.
  static func decode(
    _ text: String, by ranking: ListPosition.Ranking?
  ) throws(Problem) -> ListPosition {
    let place = try place(text, Form(ranking))
    guard let ranking else { return ListPosition(sequence: place.sequence) }
    return ListPosition(sequence: place.sequence, rank: place.rank, by: ranking)
  }

  private static func place(
    _ text: String, _ form: Form
  ) throws(Problem) -> (sequence: Int64, rank: Int64) {
    guard text.utf8.count == form.length else { throw Problem(.invalidCursor) }
    var bits: UInt128 = 0
    for byte in text.utf8 {
      // Reject digits whose bits would be shifted out, so that each position has exactly one cursor.
      guard let digit = digits.firstIndex(of: byte), bits >> 122 == 0 else {
        throw Problem(.invalidCursor)
      }
      bits = bits << 6 | UInt128(digit)
    }
    let sequence = Int64(truncatingIfNeeded: bits)
    guard bits >> form.bits == form.rawValue, sequence > 0 else { throw Problem(.invalidCursor) }
    return (sequence, Int64(truncatingIfNeeded: bits >> 64) & ListPosition.ranks.upperBound)
  }
}
