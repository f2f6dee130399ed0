import Memes

extension Timestamp {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The date in the format of header fields (IMF-fixdate, RFC 9110 §5.6.7), rounded down to the second.
  ///
  /// For example, `Sat, 21 Nov 2026 08:05:00 GMT`.
  var httpDate: String {
    // 2026-11-21T08:05:00.123Z
    let text = Array(description)
    func part(_ places: Range<Int>) -> String { String(text[places]) }
    let day = Int((Double(millisecondsSince1970) / 86_400_000).rounded(.down))
    // 1970-01-01 was a Thursday.
    let weekday = Self.weekdays[((day + 4) % 7 + 7) % 7]
    let month = Self.months[(Int(part(5..<7)) ?? 1) - 1]
    return "\(weekday), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
  }
}
