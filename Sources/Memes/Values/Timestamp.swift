import Foundation

/// A moment in UTC, with millisecond resolution.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let millisecondsSince1970: Int64

  package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// The current time of the system clock.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}

extension Timestamp {
  /// The number of days since 1 January 1970, rounded down.
  package var daysSince1970: Int64 {
    millisecondsSince1970.flooredDivision(by: 86_400_000).quotient
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-21T08:05:00.123Z`.
  package var description: String {
    let (seconds, milliseconds) = millisecondsSince1970.flooredDivision(by: 1000)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    let (year, month, day) = Self.civil(daysSince1970: days)
    return String(unsafeUninitializedCapacity: 24) { text in
      _ = text.initialize(fromContentsOf: "0000-00-00T00:00:00.000Z".utf8)
      func write(_ number: Int64, _ places: Range<Int>) {
        var rest = number
        for place in places.reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
      }
      write(year, 0..<4)
      write(month, 5..<7)
      write(day, 8..<10)
      write(secondOfDay / 3600, 11..<13)
      write(secondOfDay / 60 % 60, 14..<16)
      write(secondOfDay % 60, 17..<19)
      write(milliseconds, 20..<23)
      return 24
    }
  }

  /// The Gregorian date of a day number, computed with 400-year eras that begin on 1 March 0000.
  private static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension Int64 {
  /// Division that rounds down, so that the remainder is never negative.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
