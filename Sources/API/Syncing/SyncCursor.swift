import Bytes
import HTTP
import Memes

/// A position in a user's changes, as an opaque string. The server rejects strings that are not cursors.
///
/// The hexadecimal digits contain the cursor format, the epoch, the number and the floor of the position.
enum SyncCursor {
  /// Distinguishes this cursor format from later ones.
  private static let form: UInt8 = 5
  private static let byteCount = 25

  static func encode(_ position: SyncPosition) -> String {
    let numbers = [
      position.epoch, UInt64(bitPattern: position.number), UInt64(bitPattern: position.floor),
    ]
    let bytes = numbers.flatMap { number in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
    return Hexadecimal.text(of: [form] + bytes)
  }

  /// - Throws: `invalidCursor` if `text` is not a cursor of changes.
  static func decode(_ text: String) throws(Problem) -> SyncPosition {
    guard text.utf8.count == 2 * byteCount, let bytes = Hexadecimal.bytes(of: text),
      bytes.count == byteCount, bytes[0] == form
    else { throw Problem(.invalidCursor) }
    func number(at place: Int) -> UInt64 {
      bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let position = SyncPosition(
      epoch: number(at: 1), number: Int64(bitPattern: number(at: 9)),
      floor: Int64(bitPattern: number(at: 17)))
    guard position.number >= 0, position.floor >= 0 else { throw Problem(.invalidCursor) }
    return position
  }
}
