import Foundation
import Support

/// A new PostgreSQL database, and the settings of processes that share it.
struct SharedDatabase {
  static let token = "an-admin-token-for-tests"

  let settings: [String: String]
  /// For the data folders of the processes.
  let folder: URL
  fileprivate let name: String

  /// Runs SQL without firing triggers, and without enforcing references.
  func damage(_ sql: String) throws {
    try PostgreSQLServer.shared().run("SET session_replication_role = replica; \(sql)", in: name)
  }

  /// - Returns: the rows without headings.
  @discardableResult
  func run(_ sql: String) throws -> String { try PostgreSQLServer.shared().run(sql, in: name) }

  /// Runs a command of the program.
  func command(_ arguments: String...) async throws -> (code: Int32, lines: [String]) {
    let (code, output) = try await ServerProcess.run(
      arguments + ["--data", folder.appending(path: "command").path], environment: settings)
    return (code, output.split(separator: "\n").map(String.init))
  }
}

func withSharedDatabase(_ body: (SharedDatabase) async throws -> Void) async throws {
  let server = try PostgreSQLServer.shared()
  let name = try server.makeDatabase()
  try await withDataFolder { folder in
    let key = folder.appending(path: "key")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 32).write(to: key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
    let settings = [
      "MEMEME_DATABASE": server.address(of: name), "MEMEME_SECRET_KEY_FILE": key.path,
      "MEMEME_ADMIN_TOKEN": SharedDatabase.token, "MEMEME_SMTP_URL": "smtp://127.0.0.1:1",
      "MEMEME_MAIL_FROM": "memes@example.org", "MEMEME_DATABASE_CONNECTIONS": "4",
    ]
    try await body(SharedDatabase(settings: settings, folder: folder, name: name))
  }
  try server.drop(name)
}
