import CSQLite
import Dispatch
import Foundation
package import SQL

extension SQLiteWriter {
  /// How many bytes are copied between two commits. Each step blocks writes for a few milliseconds.
  private static let stepBytes = 2 << 20
  /// How many bytes of a copy may wait in memory to be written to disk. Other syncs wait for these bytes too.
  private static let unsyncedBytes: Int64 = 16 << 20

  /// Copies the database into a new file while other callers read and write. When this returns, the copy is on disk,
  /// and contains everything that was committed before the call.
  ///
  /// The copy has the state of one moment, near the end of the copying. Only one copy at a time is possible. If this
  /// throws or the task is canceled, no file remains.
  ///
  /// - Parameters:
  ///   - path: must not exist yet, but its folder must. A caller that needs the new name to
  ///     be durable must sync the folder.
  ///   - progress: called from time to time with the number of copied bytes and of all bytes. Runs on any thread.
  /// - Throws: `.busy` if another copy is in progress, `.interrupted` if the task was canceled, `.misuse` if
  ///   this writer is secondary or closed.
  package func copy(
    to path: String,
    progress: @escaping @Sendable (_ done: Int64, _ all: Int64) -> Void = { _, _ in }
  ) async throws(DatabaseError) {
    let file = try CopiedFile(path)
    do throws(DatabaseError) {
      try await beginCopy(to: path)
      do throws(DatabaseError) {
        try await goOnCopying(file, progress)
      } catch {
        await endCopy()
        throw error
      }
      await endCopy()
      try await file.sync()
    } catch {
      file.remove()
      throw error
    }
  }

  private func goOnCopying(
    _ file: CopiedFile, _ report: @Sendable (Int64, Int64) -> Void
  ) async throws(DatabaseError) {
    var synced: Int64 = 0
    while true {
      guard !Task.isCancelled else { throw DatabaseError(.interrupted, "The copy was canceled.") }
      let progress = try await stepCopy(bytes: Self.stepBytes)
      report(progress.copiedBytes, progress.allBytes)
      guard !progress.isComplete else { return }
      // After a secondary writer's write, the copy restarts.
      synced = min(synced, progress.copiedBytes)
      if progress.copiedBytes - synced >= Self.unsyncedBytes {
        try await file.sync()
        synced = progress.copiedBytes
      }
    }
  }
}

/// The file to which the database is copied.
private final class CopiedFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Waits for the disk, which may take long.
  private let queue = DispatchQueue(label: "sqlite.copy")

  /// Creates the file.
  init(_ path: String) throws(DatabaseError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseError(.cannotOpen, "open \(path)", systemError: errno)
    }
    self.path = path
  }

  deinit { close(descriptor) }

  func remove() { unlink(path) }

  /// Returns when all written data is on disk.
  func sync() async throws(DatabaseError) {
    let error = await withCheckedContinuation { caller in
      queue.async { caller.resume(returning: fsync(self.descriptor) == 0 ? 0 : errno) }
    }
    guard error == 0 else {
      throw DatabaseError(.inputOutput, "fsync \(path)", systemError: error)
    }
  }
}
