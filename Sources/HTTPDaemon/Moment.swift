import Foundation

/// A point on the clock that never goes back, in nanoseconds. Made for deadlines: reading it costs next to nothing.
struct Moment: Comparable, Sendable {
  let nanoseconds: Int64

  /// Later than anything that can happen.
  static let never = Moment(nanoseconds: Int64.max >> Watch.stageBits)

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// - Parameter seconds: not negative. ``never`` where that is too far away to count.
  func after(seconds: Double) -> Moment {
    let distance = seconds * 1e9
    guard distance < Double(Moment.never.nanoseconds - nanoseconds) else { return .never }
    return Moment(nanoseconds: nanoseconds + Int64(distance))
  }

  func seconds(since earlier: Moment) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}
