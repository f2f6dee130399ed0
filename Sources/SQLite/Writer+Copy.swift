import CSQLite
import Dispatch
import Foundation

extension Writer {
  /// How much is copied between two commits: a few milliseconds in which nobody writes.
  private static let stepBytes = 2 << 20
  /// How much of a copy may wait in memory to be written to the disk: what others sync meanwhile waits for it too.
  private static let unsyncedBytes: Int64 = 16 << 20

  /// Copies the database into a new file while others read and write. When this returns, the copy is on the disk, and has all that was
  /// committed before it was asked for.
  ///
  /// The copy is of one moment, near the end of the copying. There is one at a time. Where this throws, or the task is cancelled, no
  /// file is left.
  ///
  /// - Parameters:
  ///   - path: where no file may be; its folder has to be there, and to be synced by whoever needs the name to last.
  ///   - progress: told now and then how many of how many bytes are copied. Runs on any thread.
  /// - Throws: `.busy` where another copy is being made, `.interrupted` where the task was cancelled, `.misuse` where this is a guest's
  ///   writer or closed.
  package func copy(
    to path: String,
    progress: @escaping @Sendable (_ done: Int64, _ all: Int64) -> Void = { _, _ in }
  ) async throws(SQLiteError) {
    let file = try CopiedFile(path)
    do throws(SQLiteError) {
      try await beginCopy(to: path)
      do throws(SQLiteError) {
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
  ) async throws(SQLiteError) {
    var synced: Int64 = 0
    while true {
      guard !Task.isCancelled else { throw SQLiteError(.interrupted, "The copy was given up.") }
      let progress = try await stepCopy(bytes: Self.stepBytes)
      report(progress.copiedBytes, progress.allBytes)
      guard !progress.isComplete else { return }
      // After a guest's write it begins anew.
      synced = min(synced, progress.copiedBytes)
      if progress.copiedBytes - synced >= Self.unsyncedBytes {
        try await file.sync()
        synced = progress.copiedBytes
      }
    }
  }
}

/// The file that a copy is written to.
private final class CopiedFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Waits for the disk, which may take its time.
  private let queue = DispatchQueue(label: "sqlite.copy")

  /// Makes it.
  init(_ path: String) throws(SQLiteError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteError(.cannotOpen, "open \(path)", systemError: errno)
    }
    self.path = path
  }

  deinit { close(descriptor) }

  func remove() { unlink(path) }

  /// Returns when all that was written to it is on the disk.
  func sync() async throws(SQLiteError) {
    let error = await withCheckedContinuation { caller in
      queue.async { caller.resume(returning: fsync(self.descriptor) == 0 ? 0 : errno) }
    }
    guard error == 0 else {
      throw SQLiteError(.inputOutput, "fsync \(path)", systemError: error)
    }
  }
}
