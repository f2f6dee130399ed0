import Synchronization

/// The pieces that are on their way in or being kept, one for an upload. Safe to use from any thread.
///
/// It holds none of them: a piece that its request lets go of, because it was refused, is gone.
final class ArrivingPieces: Sendable {
  private struct Entry {
    let number: Int
    weak var piece: ArrivingPiece?
  }

  private struct State {
    var entries: [UploadID: Entry] = [:]
    var lastNumber = 0
  }

  /// Keeps every other piece of an upload out until it is given back, or nobody has it any more.
  final class Claim: Sendable {
    private let pieces: ArrivingPieces
    private let id: UploadID
    private let number: Int

    fileprivate init(_ pieces: ArrivingPieces, _ id: UploadID, _ number: Int) {
      (self.pieces, self.id, self.number) = (pieces, id, number)
    }

    deinit { giveBack() }

    /// The piece is on its way: who asks how far the upload has come may end it.
    func begin(_ piece: ArrivingPiece) {
      pieces.state.withLock {
        if $0.entries[id]?.number == number { $0.entries[id]?.piece = piece }
      }
    }

    func giveBack() {
      // Another one may be in its place.
      pieces.state.withLock { if $0.entries[id]?.number == number { $0.entries[id] = nil } }
    }
  }

  private let state = Mutex(State())

  subscript(_ id: UploadID) -> ArrivingPiece? { state.withLock { $0.entries[id]?.piece } }

  var all: [ArrivingPiece] { state.withLock { $0.entries.values.compactMap(\.piece) } }

  /// - Returns: `nil` where another piece of the upload is on its way or being kept.
  func claim(_ id: UploadID) -> Claim? {
    let number = state.withLock { state -> Int? in
      guard state.entries[id] == nil else { return nil }
      state.lastNumber += 1
      state.entries[id] = Entry(number: state.lastNumber)
      return state.lastNumber
    }
    return number.map { Claim(self, id, $0) }
  }
}
