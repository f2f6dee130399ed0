/// The memory and the time that a job needs, as far as they are known before its pixels are decoded.
package struct JobRequirements: Sendable, Equatable {
  /// The memory in bytes.
  package let bytes: Int
  /// The time, in pixels: reading and rewriting a JPEG of that many pixels takes the same time.
  package let cost: Int

  package init(bytes: Int, cost: Int) { (self.bytes, self.cost) = (bytes, cost) }

  /// A job with a higher cost is large: other jobs must not wait for several of them. It
  /// takes at least a third of a second.
  package static let large = 50_000_000
  /// A job with at most this cost does not ask first; it is charged afterwards.
  package static let freeCost = 1_000_000

  /// The cost of occupying a worker for this long.
  static func cost(of time: Duration) -> Int { Int(time / .seconds(1) * 100_000_000) }

  /// The additional charge for a completed job that took much longer than its cost. Most jobs take less time than their
  /// cost. If the machine is busy, or slower than the one on which the factors were measured, they take several times
  /// as long. A job that takes even longer was designed to be slow.
  static func excess(of time: Duration, above charged: Int) -> Int {
    max(0, cost(of: time) / 4 - charged)
  }
}
