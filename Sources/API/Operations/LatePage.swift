import Bytes
import Synchronization

/// A page that takes a while to make and that few ask for: it is made when somebody does, and then kept.
final class LatePage: Sendable {
  private let make: @Sendable () throws -> Bytes
  private let made = Mutex<Bytes?>(nil)

  init(_ make: @escaping @Sendable () throws -> Bytes) { self.make = make }

  /// Whoever asks while it is made waits for it.
  func bytes() throws -> Bytes {
    try made.withLock { made in
      if let made { return made }
      let bytes = try make()
      made = bytes
      return bytes
    }
  }
}
