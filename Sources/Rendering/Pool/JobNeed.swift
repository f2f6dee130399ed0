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
  /// The charge for each second of a job that came to no end.
  static let costOfSecond = 100_000_000.0
}
