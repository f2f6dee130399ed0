import Memes
import Synchronization

/// The pieces that are being received or stored, at most one per upload. Safe to use from any thread.
///
/// Holds weak references: a piece that was rejected disappears when its request releases it.
final class UploadChunks: Sendable {
  private struct Entry {
    let number: Int
    weak var piece: UploadChunk?
  }

  private struct State {
    var entries: [UploadID: Entry] = [:]
    var lastNumber = 0
  }

  /// Blocks other pieces of the upload until it is released or deallocated.
  final class Claim: Sendable {
    private let pieces: UploadChunks
    private let id: UploadID
    private let number: Int

    fileprivate init(_ pieces: UploadChunks, _ id: UploadID, _ number: Int) {
      (self.pieces, self.id, self.number) = (pieces, id, number)
    }

    deinit { giveBack() }

    /// Registers the piece. From now on, a request for the upload's progress can end it.
    func begin(_ piece: UploadChunk) {
      pieces.state.withLock {
        if $0.entries[id]?.number == number { $0.entries[id]?.piece = piece }
      }
    }

    func giveBack() {
      // A new claim may have replaced this one.
      pieces.state.withLock { if $0.entries[id]?.number == number { $0.entries[id] = nil } }
    }
  }

  private let state = Mutex(State())

  subscript(_ id: UploadID) -> UploadChunk? { state.withLock { $0.entries[id]?.piece } }

  var all: [UploadChunk] { state.withLock { $0.entries.values.compactMap(\.piece) } }

  /// - Returns: `nil` if another piece of the upload is being received or stored.
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
