package import Memes
package import SQLite

/// Tells whether a database's file, which nobody writes, is whole: its structure, its references, and that every picture has the bytes
/// that were stored. Nothing is decoded.
package struct CopyVerification: Sendable {
  private let migrations: [Migration]
  private let digest: Digester

  /// - Parameters:
  ///   - migrations: all of them; the file has to have them.
  ///   - digest: SHA-256.
  package init(migrations: [Migration], digest: @escaping Digester) {
    (self.migrations, self.digest) = (migrations, digest)
  }

  /// Reads all of the file, on one thread of low priority. Ends early where the task is cancelled.
  ///
  /// - Parameters:
  ///   - report: gets each finding when it is found.
  ///   - progress: told now and then how many of how many rows are done. The structure is looked at before the first.
  /// - Throws: `CancellationError`; ``UnusableDatabase`` where it is for another version or cannot be opened. What is so damaged that it
  ///   cannot be opened is a finding.
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
    let checking = Checking(
      archive: SQLiteArchive(database, isInUse: false, interruption: interruption),
      inspector: nil, digest: digest, parallel: 1, isOfCopy: true)
    let summary = await withTaskCancellationHandler {
      await withTaskExecutorPreference(thread) {
        await checking.run(report: report, progress: progress)
      }
    } onCancel: {
      interruption.interrupt()
    }
    try Task.checkCancellation()
    return summary
  }
}
