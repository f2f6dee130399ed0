import Curl
import Foundation
import Memes
import Storage

/// `mememe backup`: makes a backup, by the server where one runs, else by itself.
///
/// Prints the path of the backup and exits 0 where it is complete; 1 where there is none.
struct BackupCommand {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// Why there is no backup.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let name =
        try DataFolder.isInUse(at: settings.dataFolder)
        ? try await byServer() : try await byItself()
      print("\(settings.backupFolder ?? "\(settings.dataFolder)/backups")/\(name)")
      return 0
    } catch {
      let reason = (error as? MemeError)?.reason ?? "\(error)"
      FileHandle.standardError.write(Data("mememe: \(reason)\n".utf8))
      return 1
    }
  }

  private func byItself() async throws -> String {
    // From here on a signal gives it up, and leaves nothing behind.
    let stop = Termination()
    let desk = try BackupDesk(settings) { event in
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
      let name = try await follow { BackupSight(try backups.backup(backup.id)) }
      await desk.close()
      return name
    } catch {
      await desk.close()
      throw error
    }
  }

  private func byServer() async throws -> String {
    let server = BackupServer(
      LocalServer(settings, token: try adminToken(), seconds: settings.requestTimeoutSeconds))
    while true {
      switch try server.begin() {
      case .begun(let id): return try await follow { try server.backup(id) }
      // What was answered since then is not in that one.
      case .another(let id):
        _ = try? await follow("waiting for another: ") { try server.backup(id) }
      }
    }
  }

  /// Shows how far it is until it is complete.
  ///
  /// - Returns: the name of its file.
  private func follow(
    _ prefix: String = "", _ look: () async throws -> BackupSight
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
      case "failed": throw Failure(description: backup.problem ?? "There is no backup.")
      default: try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private func adminToken() throws(Failure) -> String {
    if let token = settings.adminToken { return token }
    let path = "\(settings.dataFolder)/admin-token"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure(
        description:
          "a server uses the data folder, and takes a backup for its admin: set MEMEME_ADMIN_TOKEN, for \(path) cannot be read"
      )
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func tell(_ text: String) {
    FileHandle.standardError.write(Data("mememe: \(text)\n".utf8))
  }
}

/// What is looked at of a backup while it is made.
struct BackupSight: Decodable {
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
