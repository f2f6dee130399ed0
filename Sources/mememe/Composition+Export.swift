import API
import Files
import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Storage

extension Server {
  /// Exports memes from a data folder, whether or not a server uses it.
  ///
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``; ``NoSuchPerson``; the errors of the folder.
  static func export(
    _ settings: Settings, _ order: ExportOptions, isStopped: () -> Bool,
    report: (MemeID, _ reason: String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CollectionSummary {
    // Copying mostly waits for the disk.
    let parallel = 8
    let (readers, blobs, close) = try await self.readers(settings, parallel: parallel)
    defer { close() }
    let author = try order.author.map { name in
      guard let author = try ImportCatalogue(readers).author(named: name) else {
        throw NoSuchPerson(username: name)
      }
      return author.id
    }
    let folder = try ExportFolder(
      order.folder, of: order.author, as: MemeListText(csv: order.isCSV),
      disk: DiskReserve(floorBytes: settings.diskFloorBytes), digest: digest)
    return try await MemeExport(
      collection: MemeCollection(readers, blobs), folder: folder, digest: digest,
      parallel: parallel
    ).run(of: author, isStopped: isStopped, report: report, progress: progress)
  }

  private static func readers(
    _ settings: Settings, parallel: Int
  ) async throws -> (any Readers, Blobs, close: () -> Void) {
    if let address = settings.database {
      // One of them is kept for writes.
      let (database, blobs) = try await connectWithObjects(
        settings, address, connections: parallel + 2)
      return (database.readers, blobs, { database.close() })
    }
    let path = settings.dataFolder
    try NoDatabase.check(path)
    let database = try MemeDatabase.openForReading(
      at: path, migrations: migrations, readers: parallel)
    return (database.readers, Blobs(), { database.close() })
  }
}

/// The error for a username that does not exist.
struct NoSuchPerson: Error, CustomStringConvertible {
  let username: Username

  var description: String { "no user has the username \(username)" }
}
