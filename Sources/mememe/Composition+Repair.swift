import Foundation
import Memes
import Rendering
import SQL
import SQLite
import Services
import Storage

extension Server {
  /// Repairs the findings of a check.
  ///
  /// - Parameter access: keeps servers from the data.
  /// - Returns: the number of successful repairs.
  static func repair(
    _ settings: Settings, with access: ExclusiveAccess, _ findings: [Finding],
    report: (String) -> Void, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> Int {
    let database = try await GuestDatabase(repairing: settings, access)
    let looking: CheckedDatabase
    do { looking = try await CheckedDatabase(settings, pictures: 1, isInUse: false) } catch {
      await database.close()
      throw error
    }
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
      archive: looking.archive, store: RepairStore(database.any),
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
