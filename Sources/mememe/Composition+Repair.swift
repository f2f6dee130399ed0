import Foundation
import Memes
import Rendering
import SQL
import SQLite
import Services
import Storage

extension Server {
  /// Repairs the findings of a check, in a folder that this process has locked.
  ///
  /// - Returns: the number of successful repairs.
  static func repair(
    _ settings: Settings, in folder: DataFolder, _ findings: [Finding], report: (String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> Int {
    let database = try MemeDatabase.open(in: folder, migrations: migrations, keepingIn: nil)
    let looking = try MemeDatabase.openForReading(
      at: folder.path, migrations: migrations, readers: 2)
    let pool = patientPool(settings, workers: 1)
    var limits: PictureLimits
    do { limits = try await pictureLimits(settings, of: pool) } catch {
      await pool.stop()
      looking.close()
      await database.close()
      throw error
    }
    // Stored pictures complied with the limit at the time of their upload.
    limits.pixels = .max
    let repairs = Repairs(
      archive: MemeArchive(looking, isInUse: false), store: RepairStore(database),
      renderers: Repairs.Renderers(
        originals: PooledRenderer(pool: pool, limits: limits, digest: digest),
        renders: PooledRenderer(pool: pool, limits: .ofRenders, digest: digest)),
      defaultMaxEdge: try MaxEdge(pixels: settings.renderMaxEdge), digest: digest,
      now: { .now() })
    let repaired = await repairs.repair(findings, report: report, progress: progress)
    await pool.stop()
    looking.close()
    await database.close()
    return repaired
  }
}
