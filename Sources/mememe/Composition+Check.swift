import Foundation
import Memes
import Rendering
import SQL
import SQLite
import Storage

extension Server {
  /// Checks the contents of the data folder, whether or not a server uses it.
  ///
  /// - Parameters:
  ///   - folder: set if this process has locked the folder.
  ///   - decodes: whether to decode pictures; otherwise only their digests are verified.
  /// - Throws: ``UnusableDatabase`` if the database has another version or cannot be opened;
  ///   ``NoDatabase`` if there is none.
  static func check(
    _ settings: Settings, in folder: DataFolder? = nil, decoding decodes: Bool,
    report: (Finding) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CheckSummary {
    let path = settings.dataFolder
    guard FileManager.default.fileExists(atPath: DataFolder.database(in: path)) else {
      throw NoDatabase(folder: path)
    }
    let isInUse = try folder == nil && DataFolder.isInUse(at: path)
    let workers = settings.renderWorkers ?? ProcessInfo.processInfo.activeProcessorCount
    let parallel = 2 * workers
    let database: ReadOnlyDatabase
    do throws(UnusableDatabase) {
      database = try MemeDatabase.openForReading(
        at: path, migrations: migrations, readers: parallel + 1)
    } catch {
      guard let finding = error.finding else { throw error }
      report(finding)
      return CheckSummary(findings: 1)
    }
    let pool = decodes ? patientPool(settings, workers: workers) : nil
    var inspector: PooledInspector?
    do {
      if let pool {
        inspector = PooledInspector(
          pool: pool, kinds: try await pictureLimits(settings, of: pool).kinds)
      }
    } catch {
      await pool?.stop()
      database.close()
      throw error
    }
    let summary = await DataCheck(
      archive: MemeArchive(database, isInUse: isInUse),
      inspection: inspector?.flaw, digest: digest, parallel: parallel
    ).run(report: report, progress: progress)
    await pool?.stop()
    database.close()
    return summary
  }
}

extension Server {
  /// Drawing processes for background work. Their long timeout prevents failures on a busy machine.
  static func patientPool(_ settings: Settings, workers: Int, queue: Int? = nil) -> RenderPool {
    var renderer = RendererSettings(workers: workers)
    renderer.timeoutSeconds = 3600
    if let queue { renderer.queue = queue }
    return DrawingPlace.helpers(.own).pool(renderer, for: settings).0
  }
}

/// The error for a data folder without a database.
struct NoDatabase: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "no mememe.db in \(folder); set the data folder with --data or MEMEME_DATA"
  }
}
