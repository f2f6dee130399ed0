import Foundation

/// A timestamp in the format of MS-DOS, with a resolution of two seconds, from 1980 to 2107. The format has no time
/// zone; this writer uses UTC.
struct ZIPDate {
  let day: UInt16
  let time: UInt16

  init(secondsSince1970 seconds: Int64) {
    let (first, last): (Int64, Int64) = (315_532_800, 4_354_819_199)
    var moment = time_t(min(max(seconds, first), last))
    var parts = tm()
    gmtime_r(&moment, &parts)
    day = Self.packed((parts.tm_year - 80, 9), (parts.tm_mon + 1, 5), (parts.tm_mday, 0))
    time = Self.packed((parts.tm_hour, 11), (parts.tm_min, 5), (parts.tm_sec / 2, 0))
  }

  private static func packed(_ parts: (number: Int32, shift: Int32)...) -> UInt16 {
    parts.reduce(0) { $0 | UInt16(truncatingIfNeeded: $1.number << $1.shift) }
  }
}
