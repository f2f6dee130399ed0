import API
import Files
import Foundation
import Memes
import PostgreSQL
import Rendering
import SQL
import SQLite
import Services
import Storage

/// The components of an import into a data folder.
struct ImportCommandContext {
  let importing: MemeImport
  let rules: MemeList.Rules
  private let pool: RenderPool
  private let close: () async -> Void

  /// Opens the data folder exclusively, and creates it if it does not exist. A trial opens it read-only.
  ///
  /// - Throws: ``DataFolder/InUse`` if a server uses the folder; ``UnusableDatabase``; ``NoDatabase`` if the folder
  ///   has no database for a trial.
  init(
    _ settings: Settings, from pictures: PictureFolder, as authors: ImportAuthors, isTrial: Bool
  ) async throws {
    let workers = settings.renderWorkers ?? ProcessInfo.processInfo.activeProcessorCount
    // While some rows are drawn, others are read, or wait for the rows before them.
    let parallel = 4 * workers
    let stock = try await Stock(settings, isTrial: isTrial, readers: parallel)
    let pool = Server.patientPool(settings, workers: workers, queue: parallel)
    do {
      let limits = try await Server.pictureLimits(settings, of: pool)
      let renderer = PooledRenderer(pool: pool, limits: limits, digest: Server.digest)
      rules = MemeList.Rules(
        faces: try await renderer.faces().faces,
        formats: try await renderer.writable(OutputFormat.allCases),
        authors: authors, now: .now())
      importing = MemeImport(
        catalogue: ImportCatalogue(stock.readers), pictures: pictures,
        mode: try stock.mode(settings, renderer), digest: Server.digest, parallel: parallel,
        now: { .now() })
    } catch {
      await pool.stop()
      await stock.close()
      throw error
    }
    self.pool = pool
    close = { await stock.close() }
  }

  func end() async {
    await pool.stop()
    await close()
  }
}

/// The database of an import.
private struct Stock {
  let readers: any Readers
  /// `nil` for a trial.
  private let database: (any Database)?
  private let folder: DataFolder?
  private let end: () async -> Void

  init(_ settings: Settings, isTrial: Bool, readers: Int) async throws {
    if let address = settings.database {
      let (database, blobs) = try await Server.connectWithObjects(
        settings, address, connections: readers + 2)
      (folder, self.readers) = (nil, database.readers)
      (self.database, end) = (
        isTrial ? nil : ObjectDatabase(database, blobs), { database.close() }
      )
      return
    }
    guard isTrial else {
      let folder = try DataFolder(path: settings.dataFolder)
      let database = try MemeDatabase.open(in: folder, migrations: Server.migrations)
      (self.folder, self.database, self.readers) = (folder, database, database.readers)
      end = { await database.close() }
      return
    }
    let path = settings.dataFolder
    try NoDatabase.check(path)
    let database = try MemeDatabase.openForReading(
      at: path, migrations: Server.migrations, readers: readers)
    (folder, self.database, self.readers) = (nil, nil, database.readers)
    end = { database.close() }
  }

  func mode(_ settings: Settings, _ renderer: PooledRenderer) throws -> MemeImport.Mode {
    guard let database else { return .checking(renderer) }
    let path = folder?.path ?? FileManager.default.temporaryDirectory.path
    let store = MemeStore(database)
    let drawing = MemeDrawing(
      memes: store, uploads: UploadStore(database), templates: TemplateStore(database),
      renderer: renderer, defaultMaxEdge: try MaxEdge(pixels: settings.renderMaxEdge),
      now: { .now() })
    let disk = DiskReserve(floorBytes: settings.diskFloorBytes)
    return .storing(drawing, store) { disk.hasRoom(at: path) }
  }

  func close() async {
    await end()
    withExtendedLifetime(folder) {}
  }
}
