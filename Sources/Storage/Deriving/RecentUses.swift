import Synchronization

/// Which derived pictures were used since that was last written down. Safe to use from any thread.
///
/// A read must not cost a write, so uses wait for the next picture that is kept. Until then no picture gives way either;
/// what a crash forgets is only the order.
final class RecentUses: Sendable {
  /// A derived picture's primary key.
  struct Picture: Hashable, Sendable {
    let meme: Int64
    let width: Int
    let format: String
  }

  /// They are written in one transaction. Of more pictures than this the later ones are not noted.
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

  /// All of them, the longest ago first, for whoever writes them down.
  func take() -> [Picture] {
    let turns = state.withLock { state in
      defer { state.turns = [:] }
      return state.turns
    }
    return turns.sorted { $0.value < $1.value }.map(\.key)
  }
}
