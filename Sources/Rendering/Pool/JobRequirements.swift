/// The memory and the time that a job takes, as far as they are known before its pixels are decoded.
package struct JobNeed: Sendable, Equatable {
  /// Of memory.
  package let bytes: Int
  /// Of time: as many pixels of JPEG are read, and written again, in the same.
  package let cost: Int

  package init(bytes: Int, cost: Int) { (self.bytes, self.cost) = (bytes, cost) }

  /// A job that costs more is large: others must not wait for several of them. It takes a third of a second or more.
  package static let large = 50_000_000
  /// A job that costs no more than this does not ask first; it pays afterwards.
  package static let freeCost = 1_000_000

  /// The cost of a worker for so long.
  static func cost(of time: Duration) -> Int { Int(time / .seconds(1) * 100_000_000) }

  /// What a job that came to an end still costs for its time. Most are done in less than they cost; on a machine that is slower than
  /// the one of the factors, or busy, in several times that. What takes longer was made to.
  static func excess(of time: Duration, above charged: Int) -> Int {
    max(0, cost(of: time) / 4 - charged)
  }
}
