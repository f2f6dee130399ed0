import Bytes
package import Memes
import Synchronization

/// A piece of an upload while it is received, and afterwards the result of storing it.
///
/// The piece is ended either by its own request, when the body is complete or interrupted, or by a request for the
/// upload's progress. The bytes received until then are stored exactly once. Safe to use from any thread.
package final class UploadChunk: Sendable {
  package typealias Outcome = Result<UploadProgress, any Error>

  /// The number of bytes that the upload still lacks.
  package let room: Int
  private let state: Mutex<State>
  private let keep: @Sendable (Bytes) async -> Outcome
  private let claim: UploadChunks.Claim

  // The spool is used only while the lock is held.
  private enum State: @unchecked Sendable {
    case arriving(Spool)
    case over(Task<Outcome, Never>)
  }

  /// - Parameters:
  ///   - place: the location of the buffer.
  ///   - claim: released when the bytes are stored, or when the piece is deallocated.
  ///   - keep: stores the received bytes. Called at most once.
  init(
    room: Int, in place: SpoolPlace, claim: UploadChunks.Claim,
    keep: @escaping @Sendable (Bytes) async -> Outcome
  ) {
    (self.room, self.claim, self.keep) = (room, claim, keep)
    state = Mutex(.arriving(Spool(in: place)))
  }

  /// Appends bytes. The buffer is valid during the call only.
  ///
  /// After an error, the caller must release the piece.
  ///
  /// - Throws: ``MemeError/uploadBusy`` if another request ended the piece; ``MemeError/uploadTooLong``;
  ///   ``MemeError/storageFull`` or ``MemeError/storage(_:)`` if the bytes cannot be buffered.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      guard case .arriving(let spool) = state else { throw MemeError.uploadBusy }
      guard bytes.count <= room - spool.count else { throw MemeError.uploadTooLong }
      do throws(Spool.Failure) { try spool.append(bytes) } catch { throw MemeError(error) }
    }
  }

  /// Ends the piece, unless it has ended already, and stores the received bytes. The task continues even if no
  /// caller awaits it.
  @discardableResult
  package func end() -> Task<Outcome, Never> {
    state.withLock { state in
      switch state {
      case .over(let task): return task
      case .arriving(let spool):
        let bytes = Result { try spool.finish() }
        let task = Task { [self] in
          // Released before callers get the outcome: the client may send the next piece at once.
          defer { claim.giveBack() }
          return switch bytes {
          case .success(let bytes): await keep(bytes)
          case .failure(let failure):
            Outcome.failure((failure as? Spool.Failure).map(MemeError.init) ?? failure)
          }
        }
        state = .over(task)
        return task
      }
    }
  }
}
