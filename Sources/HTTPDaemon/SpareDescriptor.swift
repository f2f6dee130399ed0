import Foundation

/// A descriptor that is held for the day when the process may open no other. Used by one thread.
struct SpareDescriptor: ~Copyable {
  private var descriptor = Self.open()
  private var quietUntil = Moment(nanoseconds: 0)

  private static func open() -> Int32 { Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  deinit { close(descriptor) }

  /// Runs `body` with one descriptor more to be had.
  mutating func lend(_ body: () -> Bool) -> Bool {
    if descriptor >= 0 { close(descriptor) }
    defer { descriptor = Self.open() }
    return body()
  }

  /// Whether nothing was said for ten seconds: a flood must not become one of the log.
  mutating func mayWarn(now: Moment) -> Bool {
    guard now >= quietUntil else { return false }
    quietUntil = now.after(seconds: 10)
    return true
  }
}
