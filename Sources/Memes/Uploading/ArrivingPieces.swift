import Synchronization

/// The pieces that are on their way in or being kept, one for an upload. Safe to use from any thread.
///
/// It holds none of them: a piece that its request lets go of, because it was refused, is gone.
final class ArrivingPieces: Sendable {
  private struct Entry {
    weak var piece: ArrivingPiece?
    let number: Int
  }

  private struct State {
    var entries: [UploadID: Entry] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  subscript(_ id: UploadID) -> ArrivingPiece? { state.withLock { $0.entries[id]?.piece } }

  var all: [ArrivingPiece] { state.withLock { $0.entries.values.compactMap(\.piece) } }

  /// Lets a piece in.
  ///
  /// - Parameter make: gets what the piece must call when it goes.
  /// - Returns: `nil` where there is one.
  func add(
    _ id: UploadID, _ make: (_ forget: @escaping @Sendable () -> Void) -> ArrivingPiece
  ) -> ArrivingPiece? {
    let (earlier, added) = state.withLock { state -> (ArrivingPiece?, ArrivingPiece?) in
      if let earlier = state.entries[id]?.piece { return (earlier, nil) }
      state.lastNumber += 1
      let number = state.lastNumber
      let piece = make { [weak self] in self?.forget(id, number) }
      state.entries[id] = Entry(piece: piece, number: number)
      return (nil, piece)
    }
    // Outside of the lock: whoever lets go of it last comes back for it.
    return withExtendedLifetime(earlier) { added }
  }

  /// Another piece may have come in the place of one that goes.
  private func forget(_ id: UploadID, _ number: Int) {
    state.withLock { if $0.entries[id]?.number == number { $0.entries[id] = nil } }
  }
}
