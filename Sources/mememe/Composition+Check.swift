import Files
import Foundation
import Memes
import Rendering
import SQL
import SQLite
import Storage

extension Server {
  /// Checks the stored data, whether or not a server uses it.
  ///
  /// - Parameters:
  ///   - access: set if this process keeps servers from the data.
  ///   - decodes: whether to decode pictures; otherwise only their digests are verified.
  /// - Throws: ``UnusableDatabase`` or ``UnusableServer`` if the database has another version or cannot be opened;
  ///   ``NoDatabase`` if there is none.
  static func check(
    _ settings: Settings, with access: ExclusiveAccess? = nil, decoding decodes: Bool,
    report: (Finding) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CheckSummary {
    let workers = settings.renderWorkers ?? ProcessInfo.processInfo.activeProcessorCount
    let database: CheckedDatabase
    do {
      database = try await CheckedDatabase(
        settings, pictures: 2 * workers, isInUse: access == nil)
    } catch let error as UnusableDatabase {
      guard let finding = error.finding else { throw error }
      report(finding)
      return CheckSummary(findings: 1)
    }
    defer { database.close() }
    let pool = decodes ? patientPool(settings, workers: workers) : nil
    var inspector: PooledInspector?
    do {
      if let pool {
        inspector = PooledInspector(
          pool: pool, kinds: try await pictureLimits(settings, of: pool).kinds)
      }
    } catch {
      await pool?.stop()
      throw error
    }
    let check = DataCheck(
      archive: database.archive, inspection: inspector?.flaw, digest: digest,
      parallel: database.pictures)
    do {
      let summary = try await check.run(report: report, progress: progress)
      await pool?.stop()
      return summary
    } catch {
      await pool?.stop()
      throw error
    }
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

/// The error for a data folder without a database that this process can read.
struct NoDatabase: Error, CustomStringConvertible {
  private let folder: String
  /// The system's error; `nil` if the database does not exist.
  private let fault: FileError?

  private init(folder: String, fault: FileError?) { (self.folder, self.fault) = (folder, fault) }

  /// - Throws: ``NoDatabase`` if the folder has no database, or this process may not read it.
  static func check(_ folder: String) throws(NoDatabase) {
    let path = DataFolder.database(in: folder)
    guard access(path, R_OK) != 0 else { return }
    let fault = FileError("read", path)
    throw NoDatabase(folder: folder, fault: fault.errno == ENOENT ? nil : fault)
  }

  /// - Throws: ``NoDatabase`` if the folder does not exist.
  static func checkFolder(_ folder: String) throws(NoDatabase) {
    guard access(folder, F_OK) != 0, errno == ENOENT else { return }
    throw NoDatabase(folder: folder, fault: nil)
  }

  var description: String {
    if let fault { return "\(fault)" }
    return "no mememe.db in \(folder); set the data folder with --data or MEMEME_DATA"
  }
}
