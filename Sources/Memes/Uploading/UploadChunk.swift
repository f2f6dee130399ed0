package import Bytes
import Synchronization

/// A piece of an upload on its way in: what came of it so far, and once it is over what was made of it.
///
/// Whoever is first ends it: its request, when the body is complete or cut, or another one that asks how far the upload has
/// come. What arrived until then is kept, once. Safe to use from any thread.
package final class ArrivingPiece: Sendable {
  package typealias Outcome = Result<UploadProgress, MemeError>

  /// How many bytes the upload has room for.
  package let room: Int
  private let state: Mutex<State>
  private let keep: @Sendable (Bytes) async -> Outcome
  private let claim: ArrivingPieces.Claim

  // The spool is touched under the lock alone.
  private enum State: @unchecked Sendable {
    case arriving(Spool)
    case over(Task<Outcome, Never>)
  }

  /// - Parameters:
  ///   - place: where it waits while it arrives.
  ///   - claim: is given back when what arrived is kept, or when nobody has the piece any more.
  ///   - keep: keeps what arrived; called once at most.
  init(
    room: Int, in place: SpoolPlace, claim: ArrivingPieces.Claim,
    keep: @escaping @Sendable (Bytes) async -> Outcome
  ) {
    (self.room, self.claim, self.keep) = (room, claim, keep)
    state = Mutex(.arriving(Spool(in: place)))
  }

  /// Takes the next bytes, which are valid during the call only.
  ///
  /// - Throws: ``MemeError/uploadBusy`` where another request ended the piece; ``MemeError/uploadTooLong``;
  ///   ``MemeError/storageFull`` and ``MemeError/storage(_:)`` where they cannot wait anywhere. Then let the piece go.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws(MemeError) {
    try state.withLock { state throws(MemeError) in
      guard case .arriving(let spool) = state else { throw .uploadBusy }
      guard bytes.count <= room - spool.count else { throw .uploadTooLong }
      do throws(Spool.Failure) { try spool.append(bytes) } catch { throw MemeError(error) }
    }
  }

  /// Ends the piece where that has not been done, and keeps what arrived. It goes on when nobody waits for it any more.
  @discardableResult
  package func end() -> Task<Outcome, Never> {
    state.withLock { state in
      switch state {
      case .over(let task): return task
      case .arriving(let spool):
        let bytes = Result { () throws(Spool.Failure) in try spool.finish() }
        let task = Task { [self] in
          // Before anybody hears of the outcome: they may send the next piece at once.
          defer { claim.giveBack() }
          return switch bytes {
          case .success(let bytes): await keep(bytes)
          case .failure(let failure): Outcome.failure(MemeError(failure))
          }
        }
        state = .over(task)
        return task
      }
    }
  }
}

extension MemeError {
  package init(_ failure: Spool.Failure) {
    self = failure == .full ? .storageFull : .storage(failure)
  }
}
