import Synchronization

/// A value that is expensive to create and seldom needed. It is created on first use and then kept.
final class LazyValue<Value: Sendable, Failure: Error>: Sendable {
  private let make: @Sendable () throws(Failure) -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () throws(Failure) -> Value) { self.make = make }

  /// Returns the value. Concurrent callers wait while it is created.
  func value() throws(Failure) -> Value {
    try made.withLock { made throws(Failure) in
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
