import Foundation

/// Timestamps in JSON and URLs: RFC 3339, in UTC, with milliseconds.
enum WireTime {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let coarseStyle = Date.ISO8601FormatStyle()

  /// - Returns: `nil` if the text is not a timestamp.
  static func date(_ text: String) -> Date? {
    guard let date = (try? style.parse(text)) ?? (try? coarseStyle.parse(text)) else { return nil }
    return date
  }

  static func text(_ date: Date) -> String {
    // The style truncates to milliseconds, and a Date is rarely a whole number of them.
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return style.format(Date(timeIntervalSince1970: (milliseconds + 0.25) / 1000))
  }
}
