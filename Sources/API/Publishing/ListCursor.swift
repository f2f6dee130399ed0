import Foundation
import HTTP
import Memes

/// A place in a list as clients hold it: opaque, and refused where it is not one that was handed out.
enum ListCursor {
  /// Tells this form of cursor from later ones.
  private static let form: UInt8 = 1

  static func encode(_ position: ListPosition) -> String {
    var bytes = [form]
    withUnsafeBytes(of: position.sequence.bigEndian) { bytes.append(contentsOf: $0) }
    return Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// - Throws: 400 where `text` is not a cursor.
  static func decode(_ text: String) throws(Problem) -> ListPosition {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    guard text.utf8.count == 12, let data = Data(base64Encoded: base64), data.count == 9,
      data.first == form
    else { throw Problem(.invalidCursor) }
    let sequence = data.dropFirst().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let position = ListPosition(sequence: sequence)
    guard sequence > 0, encode(position) == text else { throw Problem(.invalidCursor) }
    return position
  }
}
