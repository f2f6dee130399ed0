import Foundation

/// A point in time on the monotonic clock, in nanoseconds. It serves for deadlines, because
/// reading the clock costs next to nothing.
struct Moment: Comparable, Sendable {
  let nanoseconds: Int64

  /// Later than any deadline.
  static let never = Moment(nanoseconds: Int64.max >> StageDeadline.stageBits)

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// - Parameter seconds: not negative.
  /// - Returns: ``never`` if the moment is too far away to represent.
  func after(seconds: Double) -> Moment {
    let distance = seconds * 1e9
    guard distance < Double(Moment.never.nanoseconds - nanoseconds) else { return .never }
    return Moment(nanoseconds: nanoseconds + Int64(distance))
  }

  func seconds(since earlier: Moment) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}
