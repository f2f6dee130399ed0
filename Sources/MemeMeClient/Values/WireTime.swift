import Foundation

/// Moments as they are in JSON and addresses: RFC 3339, in UTC, to the millisecond.
enum WireTime {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let coarseStyle = Date.ISO8601FormatStyle()

  /// - Returns: `nil` where the text is no such moment.
  static func date(_ text: String) -> Date? {
    guard let date = (try? style.parse(text)) ?? (try? coarseStyle.parse(text)) else { return nil }
    return date
  }

  static func text(_ date: Date) -> String {
    // The style cuts what is below a millisecond, and a Date is seldom just on one.
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return style.format(Date(timeIntervalSince1970: (milliseconds + 0.25) / 1000))
  }
}
