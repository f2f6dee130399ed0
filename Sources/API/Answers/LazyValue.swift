import Synchronization

/// A value that takes a while to make and is seldom needed: it is made on first use and then kept.
final class LazyValue<Value: Sendable, Failure: Error>: Sendable {
  private let make: @Sendable () throws(Failure) -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () throws(Failure) -> Value) { self.make = make }

  /// Callers that come while it is made wait for it.
  func value() throws(Failure) -> Value {
    try made.withLock { made throws(Failure) in
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
