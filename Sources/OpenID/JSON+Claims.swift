import Bytes
import JSON

extension JSON {
  /// Parses an object that a provider sent.
  ///
  /// - Parameter name: what it is, for the log.
  static func object(_ body: Bytes, _ name: String) throws(OpenIDError) -> [String: JSON] {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: body) } catch {
      throw .failed("\(name) is not JSON")
    }
    guard case .object(let members) = json else { throw .failed("\(name) is no JSON object") }
    return members
  }

  /// The text; `nil` if the value has another type.
  var claimedText: String? { if case .text(let text) = self { text } else { nil } }
}
