import Synchronization

/// What takes a while to make and few ask for: it is made when somebody does, and then kept.
final class Late<Value: Sendable, Failure: Error>: Sendable {
  private let make: @Sendable () throws(Failure) -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () throws(Failure) -> Value) { self.make = make }

  /// Whoever asks while it is made waits for it.
  func value() throws(Failure) -> Value {
    try made.withLock { made throws(Failure) in
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
