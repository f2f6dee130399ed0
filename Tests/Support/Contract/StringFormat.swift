import Foundation

/// The formats of strings that are checked (JSON Schema validation §7.3).
enum StringFormat: String {
  case uuid
  case dateTime = "date-time"
  case uriReference = "uri-reference"

  func accepts(_ text: String) -> Bool {
    switch self {
    case .uuid: text.utf8.count == 36 && UUID(uuidString: text) != nil
    case .dateTime: Self.isDateTime(text)
    case .uriReference: Self.isURIReference(text)
    }
  }

  /// RFC 3339 §5.6; that the day is in the calendar is checked too.
  private static func isDateTime(_ text: String) -> Bool {
    guard
      let match = text.wholeMatch(
        of: /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](\d\d):(\d\d))/)
    else { return false }
    let numbers = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
    let (hour, minute) = (match.9.flatMap { Int($0) } ?? 0, match.10.flatMap { Int($0) } ?? 0)
    guard numbers.count == 6, numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60, hour < 24,
      minute < 60
    else { return false }
    let date = DateComponents(
      calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: numbers[0],
      month: numbers[1], day: numbers[2])
    return date.isValidDate
  }

  /// RFC 3986 §4.1, by its characters and by its parts.
  private static func isURIReference(_ text: String) -> Bool {
    let allowed = /(?:[A-Za-z0-9._~:\/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*/
    return text.wholeMatch(of: allowed) != nil && URLComponents(string: text) != nil
  }
}
