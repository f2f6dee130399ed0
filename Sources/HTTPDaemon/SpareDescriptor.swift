import Foundation

/// A descriptor in reserve, for the time when the process cannot open another one. Used by one thread.
struct SpareDescriptor: ~Copyable {
  private var descriptor = Self.open()
  private var quietUntil = Moment(nanoseconds: 0)

  private static func open() -> Int32 { Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  deinit { close(descriptor) }

  /// Runs `body` with one more descriptor available.
  mutating func lend(_ body: () -> Bool) -> Bool {
    if descriptor >= 0 { close(descriptor) }
    defer { descriptor = Self.open() }
    return body()
  }

  /// Whether the last warning was at least ten seconds ago. A flood of connections must not flood the log.
  mutating func mayWarn(now: Moment) -> Bool {
    guard now >= quietUntil else { return false }
    quietUntil = now.after(seconds: 10)
    return true
  }
}
