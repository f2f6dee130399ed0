import Files
import Foundation
import Memes
import Rendering
import Storage

/// The components of `mememe templates`.
struct TemplatesCommandContext {
  private let settings: Settings
  private let database: GuestDatabase
  private let pool: RenderPool
  private let store: TemplateStore

  /// - Throws: the errors of ``GuestDatabase``.
  init(_ settings: Settings) async throws {
    self.settings = settings
    database = try await GuestDatabase(withPictures: settings)
    pool = Server.patientPool(settings, workers: 1)
    store = TemplateStore(database.any)
  }

  func importing(_ folder: PictureFolder) async throws -> TemplateImport {
    let limits = try await Server.pictureLimits(settings, of: pool)
    let renderer = PooledRenderer(pool: pool, limits: limits, digest: Server.digest)
    let disk = DiskReserve(floorBytes: settings.diskFloorBytes)
    let place =
      settings.database == nil
      ? settings.dataFolder : FileManager.default.temporaryDirectory.path
    return TemplateImport(
      folder: folder, store: store, renderer: renderer,
      faces: try await renderer.faces().faces, hasRoom: { disk.hasRoom(at: place) },
      digest: Server.digest)
  }

  func exporting(to path: String) -> TemplateExport {
    TemplateExport(
      path: path, store: store, disk: DiskReserve(floorBytes: settings.diskFloorBytes),
      digest: Server.digest)
  }

  func close() async {
    await pool.stop()
    await database.close()
  }
}
