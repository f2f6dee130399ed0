import HTTP
import Memes

/// Writes backups as JSON.
struct BackupJSON: Sendable {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  func address(of id: BackupID) -> String { "\(basePath)/admin/backups/\(id)" }

  func write(_ backup: Backup, to json: inout JSONWriter) {
    let contents = backup.contents
    json.object { json in
      json.member("id", backup.id.description)
      json.member("state", backup.state.name)
      json.member("createdAt", backup.takenAt.description)
      json.member("origin", backup.isManual ? "manual" : "schedule")
      json.member("verifiedAt", contents?.verifiedAt.description)
      json.member("fileName", backup.fileName)
      json.member("byteCount", contents?.byteCount)
      json.member("memes", contents?.memes)
      if let progress = backup.progress {
        json.object("progress") { json in
          json.member("doneBytes", progress.doneBytes)
          json.member("allBytes", progress.allBytes)
        }
      } else {
        json.null("progress")
      }
      json.member("version", backup.program)
      json.member("problem", backup.failure?.message)
      json.member("url", contents.map { _ in "\(address(of: backup.id))/file" })
    }
  }
}
