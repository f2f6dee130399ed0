import Synchronization

/// The renditions that were used since the last write of their order of use. Thread-safe.
///
/// A read must not cause a write, so uses are collected until the next rendition is stored. No rendition is evicted
/// before that. A crash loses only the order.
final class RecentUses: Sendable {
  /// The primary key of a rendition.
  struct Picture: Hashable, Comparable, Sendable {
    let meme: Int64
    let width: Int
    let format: String

    /// The order of the keys in the database.
    static func < (left: Picture, right: Picture) -> Bool {
      (left.meme, left.width, left.format) < (right.meme, right.width, right.format)
    }
  }

  /// All uses are written in one transaction, so further renditions are not recorded.
  private static let maximum = 1024

  private struct State {
    var turns: [Picture: Int] = [:]
    var lastTurn = 0
  }

  private let state = Mutex(State())

  func note(_ picture: Picture) {
    state.withLock { state in
      guard state.turns.count < Self.maximum || state.turns[picture] != nil else { return }
      state.lastTurn += 1
      state.turns[picture] = state.lastTurn
    }
  }

  /// Returns the collected uses, the least recent first, and forgets them. The caller writes them to the database.
  func take() -> [Picture] {
    let turns = state.withLock { state in
      defer { state.turns = [:] }
      return state.turns
    }
    return turns.sorted { $0.value < $1.value }.map(\.key)
  }
}
