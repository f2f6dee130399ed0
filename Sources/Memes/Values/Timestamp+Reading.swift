extension Timestamp {
  /// Parses an RFC 3339 time: `2026-11-21T08:05:00Z`, with an optional fraction of a second, in UTC or with an offset.
  /// Digits after the milliseconds are ignored.
  package init(_ text: String) throws(InvalidValue) {
    guard let time = Self.read(Array(text.utf8.prefix(65))) else {
      throw InvalidValue(
        code: "invalid-time", message: "Must be a time like 2026-11-21T08:05:00Z.")
    }
    self = time
  }

  /// The years 0000 to 9999 in UTC. An offset can move a valid time outside of them.
  private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  private static func read(_ bytes: [UInt8]) -> Timestamp? {
    var text = Reader(rest: bytes[...])
    guard let year = text.number(4, in: 0...9999), text.skip("-"),
      let month = text.number(2, in: 1...12), text.skip("-"),
      let day = text.number(2, in: 1...days(in: month, of: year)), text.skip("Tt"),
      let hour = text.number(2, in: 0...23), text.skip(":"),
      let minute = text.number(2, in: 0...59), text.skip(":"),
      // 60 is a leap second. It becomes the first second of the next minute, because system clocks have
      // no leap seconds.
      let second = text.number(2, in: 0...60), let milliseconds = text.fraction(),
      let offset = text.offset(), text.rest.isEmpty
    else { return nil }
    let minutes = (days(from1970To: year, month, day) * 24 + hour) * 60 + minute - offset
    let time = (minutes * 60 + second) * 1000 + milliseconds
    return writable.contains(time) ? Timestamp(millisecondsSince1970: time) : nil
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day number of a Gregorian date, computed with years that begin in March.
  private static func days(from1970To year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // The year 0 begins in March of the year -1. 400 added years keep all dividends positive.
    let year = (month > 2 ? year : year - 1) + 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468 - 146_097
  }
}

/// Parses the parts of a time in order.
private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ choices: StaticString) -> Bool {
    guard let byte = rest.first, choices.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads exactly `count` digits.
  mutating func number(_ count: Int, in range: ClosedRange<Int64>) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  /// Reads the fraction of a second, in milliseconds; 0 if there is none.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return zip(digits, [100, 10, 1]).reduce(0) { $0 + Int64($1.0 - UInt8(ascii: "0")) * $1.1 }
  }

  /// Reads the offset from UTC in minutes; positive east of Greenwich.
  mutating func offset() -> Int64? {
    if skip("Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2, in: 0...23) else { return nil }
    // Without the colon, as in ISO 8601: the Python clients of openapi-generator write times in queries like this.
    _ = skip(":")
    guard let minutes = number(2, in: 0...59) else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
