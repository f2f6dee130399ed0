import Foundation
import Memes

/// A timestamp in the format of mail (RFC 5322 §3.3): `Sat, 21 Nov 2026 08:05:00 +0000`.
enum MailDate {
  static func text(_ time: Timestamp) -> String {
    var seconds = time_t(time.millisecondsSince1970 / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
      + "\(1900 + Int(parts.tm_year)) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) +0000"
  }
}
