import Foundation
import PostgreSQL
import SQL
import SQLite
import Storage

/// `mememe migrate`: applies pending migrations to the database, and exits. It makes a database in a folder that has
/// none, but no folder.
struct MigrateCommand {
  private let settings: Settings
  private let makesRestorePoint: Bool
  private let progress = ProgressLine("copying", .bytes)

  init(_ settings: Settings, makesRestorePoint: Bool) {
    (self.settings, self.makesRestorePoint) = (settings, makesRestorePoint)
  }

  /// - Returns: the exit code.
  func run() async throws -> Int32 {
    if let address = settings.database {
      try MemeDatabase.open(address, migrations: Server.serverMigrations, connections: 1).close()
      print("The database \(address.description) is at version \(Server.serverVersion).")
      return 0
    }
    // A folder that does not exist is most likely a typing error.
    try NoDatabase.checkFolder(settings.dataFolder)
    let folder = try DataFolder(path: settings.dataFolder)
    defer { withExtendedLifetime(folder) {} }
    let points = makesRestorePoint ? RestorePoints(in: folder, tell: tell) : nil
    defer { progress.clear() }
    let database = try MemeDatabase.open(
      in: folder, migrations: Server.migrations, keepingIn: points)
    await database.close()
    progress.clear()
    print("The database in \(folder.path) is at version \(Server.migrations.count).")
    return 0
  }

  private func tell(_ event: RestorePoints.Event) {
    switch event {
    case .copying(let done, let all): progress.show(done, of: all)
    case .made(let path):
      progress.clear()
      print("Saved a restore point to \(path).")
    }
  }
}
