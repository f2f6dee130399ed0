import Bytes
import HTTP
import Memes

/// A position in the results of a user search, as an opaque string. A cursor that does not fit the query is rejected.
///
/// The hexadecimal digits contain the cursor format, whether the username or the display name matched, the user's
/// sequence number, and the matched word.
enum PersonCursor {
  /// Distinguishes this cursor format from later ones, and from those of other lists.
  private static let form: UInt8 = 3
  private static let headBytes = 10
  private static let wordBytes = 1...256

  static func encode(_ position: PersonPosition) -> String {
    let number = UInt64(bitPattern: position.sequence)
    let head =
      [form, position.isByUsername ? 0 : 1]
      + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    return Hexadecimal.text(of: head + Array(position.word.utf8))
  }

  /// - Throws: `invalidCursor` if `text` is not a cursor for results of this query.
  static func decode(_ text: String, of query: PersonQuery) throws(Problem) -> PersonPosition {
    guard let bytes = bytes(text), bytes[0] == form, bytes[1] <= 1,
      let word = String(validating: bytes[headBytes...], as: UTF8.self)
    else { throw Problem(.invalidCursor) }
    let number = bytes[2..<headBytes].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let sequence = Int64(bitPattern: number)
    guard sequence > 0, !word.utf8.contains(0) else { throw Problem(.invalidCursor) }
    let position = PersonPosition(isByUsername: bytes[1] == 0, word: word, sequence: sequence)
    guard query.mayFind(at: position) else { throw Problem(.invalidCursor) }
    return position
  }

  /// Decodes the digits if the word has a valid length. Accepts only the canonical form, so each position
  /// has exactly one cursor.
  private static func bytes(_ text: String) -> [UInt8]? {
    guard wordBytes.contains(text.utf8.count / 2 - headBytes) else { return nil }
    return Hexadecimal.bytes(of: text)
  }
}
