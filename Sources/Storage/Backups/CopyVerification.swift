package import Memes
package import SQL
import SQLite

/// Verifies a database file that no process writes to: its structure, its references, and the digest of every picture.
/// It does not decode pictures.
package struct CopyVerification: Sendable {
  private let migrations: [Migration]
  private let digest: Digester

  /// - Parameters:
  ///   - migrations: all migrations. The file must have them.
  ///   - digest: SHA-256.
  package init(migrations: [Migration], digest: @escaping Digester) {
    (self.migrations, self.digest) = (migrations, digest)
  }

  /// Reads the whole file on one thread of low priority. Ends early if the task is canceled.
  ///
  /// - Parameters:
  ///   - report: called for each finding as soon as it is found.
  ///   - progress: called from time to time with the number of checked rows and of all rows. The structure is checked
  ///     before the first call.
  /// - Throws: `CancellationError`; ``UnusableDatabase`` if the file is for another version, or cannot be opened. A
  ///   file that is too damaged to be opened is a finding instead.
  package func run(
    _ path: String, report: @Sendable (Finding) -> Void,
    progress: @Sendable (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CheckSummary {
    let database: ReadOnlyDatabase
    do throws(UnusableDatabase) {
      database = try MemeDatabase.openForReading(file: path, migrations: migrations, readers: 1)
    } catch {
      guard let finding = error.finding else { throw error }
      report(finding)
      return CheckSummary(findings: 1)
    }
    let (thread, interruption) = (QuietThread(), Interruption())
    defer {
      database.close()
      thread.end()
    }
    let check = DataCheck(
      archive: MemeArchive(database, isInUse: false, interruption: interruption),
      inspection: nil, digest: digest, parallel: 1, isOfCopy: true)
    let summary = try await withTaskCancellationHandler {
      try await withTaskExecutorPreference(thread) {
        // The query that the cancellation interrupts fails, which is no damage.
        try await check.run(
          report: { if !Task.isCancelled { report($0) } }, progress: progress)
      }
    } onCancel: {
      interruption.interrupt()
    }
    try Task.checkCancellation()
    return summary
  }
}
