extension Timestamp {
  /// ISO 8601 in the basic format, for file names, rounded down to the second: `20261122T112953Z`.
  package var basicText: String {
    "\(description.prefix(19).filter { $0 != "-" && $0 != ":" })Z"
  }

  /// The date and the time in the format that mail (RFC 5322 §3.3) and HTTP (RFC 9110 §5.6.7) share, without the zone,
  /// rounded down to the second: `Sat, 21 Nov 2026 08:05:00`.
  package var internetText: String {
    // 2026-11-21T08:05:00.123Z
    let text = Array(description)
    func part(_ places: Range<Int>) -> String { String(text[places]) }
    // 1970-01-01 was a Thursday.
    let weekday = Self.weekdays[Int((daysSince1970 + 4).flooredDivision(by: 7).remainder)]
    let month = Self.months[(Int(part(5..<7)) ?? 1) - 1]
    return "\(weekday), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19))"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
