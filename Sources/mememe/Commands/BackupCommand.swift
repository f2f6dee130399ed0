import Curl
import Foundation
import Memes
import Services
import Storage

/// `mememe backup`: makes a backup. If a server uses the data folder, the command asks that server to make it;
/// otherwise it makes the backup itself.
///
/// Prints the path of the backup and exits 0 when it is complete. Prints only the name of the file if the server keeps
/// backups in a folder that the command does not know. Exits 1 if it fails.
struct BackupCommand {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// The reason why the backup failed.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      try NotForServers.check(settings, instead: "back up PostgreSQL with pg_dump or pg_basebackup")
      let folder = settings.backupFolder ?? "\(settings.dataFolder)/backups"
      let name =
        try DataFolder.isInUse(at: settings.dataFolder)
        ? try await byServer() : try await byItself()
      let path = "\(folder)/\(name)"
      guard FileManager.default.fileExists(atPath: path) else {
        // The server may have been started with other settings.
        Self.tell(
          "the server made the backup, but not in \(folder). Set MEMEME_BACKUPS to its folder to see the path."
        )
        print(name)
        return 0
      }
      print(path)
      return 0
    } catch {
      FileHandle.standardError.put("mememe: \(error.reason)\n")
      return 1
    }
  }

  private func byItself() async throws -> String {
    // From here on, SIGTERM and SIGINT cancel the backup and remove its files.
    let stop = Termination()
    let desk = try BackupCommandContext(settings) { event in
      switch event {
      case .found(let finding): Self.tell("\(finding)")
      case .broke(let error): Self.tell(error.reason)
      case .began, .completed, .failed, .removed: break
      }
    }
    let backups = desk.backups
    let signals = Task {
      _ = await stop.signal()
      backups.close()
    }
    defer { signals.cancel() }
    do {
      let backup = try await backups.begin(by: .command)
      let name = try await follow { BackupStatus(try backups.backup(backup.id)) }
      await desk.close()
      return name
    } catch {
      await desk.close()
      throw error
    }
  }

  private func byServer() async throws -> String {
    let (token, source) = try adminToken()
    let server = BackupServer(
      LocalServer(settings, token: token, seconds: settings.requestTimeoutSeconds),
      tokenSource: source)
    while true {
      switch try server.begin() {
      case .begun(let id): return try await follow { try server.backup(id) }
      // That backup does not contain the changes made after it began, so the loop begins a new one.
      case .another(let id):
        _ = try? await follow("waiting for the running backup: ") { try server.backup(id) }
      }
    }
  }

  /// Shows the progress until the backup is complete.
  ///
  /// - Returns: the name of the backup file.
  private func follow(
    _ prefix: String = "", _ look: () async throws -> BackupStatus
  ) async throws -> String {
    var shown: (state: String, line: ProgressLine, all: Int64)?
    defer { shown?.line.clear() }
    while true {
      let backup = try await look()
      if let last = shown, last.state != backup.state, backup.state != "failed" {
        last.line.show(last.all, of: last.all)
        last.line.clear()
        shown = nil
      }
      if let progress = backup.progress {
        let line = shown?.line ?? ProgressLine(prefix + backup.state, .bytes)
        line.show(progress.doneBytes, of: progress.allBytes)
        shown = (backup.state, line, progress.allBytes)
      }
      switch backup.state {
      case "complete": return backup.fileName
      case "failed": throw Failure(description: backup.problem ?? "The backup failed.")
      default: try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  /// - Returns: the admin token, and the file or the setting that has it.
  private func adminToken() throws(Failure) -> (token: String, source: String) {
    if let token = settings.adminToken { return (token, "MEMEME_ADMIN_TOKEN or --admin-token") }
    let path = "\(settings.dataFolder)/admin-token"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure(
        description:
          "cannot read \(path). A server is using the data folder, so the backup requires its admin token: set MEMEME_ADMIN_TOKEN."
      )
    }
    return (text.trimmingCharacters(in: .whitespacesAndNewlines), path)
  }

  private static func tell(_ text: String) {
    FileHandle.standardError.put("mememe: \(text)\n")
  }
}

/// The fields of a backup that the command displays while it is made.
struct BackupStatus: Decodable {
  let id: String
  let state: String
  let fileName: String
  let progress: Progress?
  let problem: String?

  struct Progress: Decodable {
    let doneBytes: Int64
    let allBytes: Int64
  }

  init(_ backup: Backup) {
    id = backup.id.description
    state = backup.state.name
    fileName = backup.fileName
    progress = backup.progress.map {
      Progress(doneBytes: Int64($0.doneBytes), allBytes: Int64($0.allBytes))
    }
    problem = backup.failure?.message
  }
}
