import HTTP
import Memes
package import Services

/// Backups: admins create, list, download and delete them.
package struct BackupRoutes: Sendable {
  private let known: Backups?
  private let intervalSeconds: Int
  private let json: BackupJSON

  /// - Parameters:
  ///   - backups: `nil` if the database is backed up by other means.
  ///   - intervalSeconds: the interval of scheduled backups, in seconds; 0 if none are scheduled.
  package init(backups: Backups?, intervalSeconds: Int, context: APIContext) {
    (known, self.intervalSeconds) = (backups, intervalSeconds)
    json = BackupJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    [
      Route(.post, "/admin/backups", access: .admin, takesTokens: true, make),
      Route(.get, "/admin/backups", access: .admin, takesTokens: true, list),
      Route(.get, "/admin/backups/{id}", access: .admin, takesTokens: true, detail),
      Route(.delete, "/admin/backups/{id}", access: .admin, takesTokens: true, remove),
      // The file contains the admin token and the keys, so no access token is enough.
      Route(.get, "/admin/backups/{id}/file", access: .admin, file),
    ]
  }

  private var backups: Backups {
    get throws(Problem) {
      guard let known else { throw Problem(.notHere) }
      return known
    }
  }

  /// Needs no `Idempotency-Key`: while a backup is running, a repeated request gets an error with the
  /// URL of that backup.
  private func make(_ call: Call) async throws -> Response {
    let authority = try call.authority()
    do {
      let backup = try await backups.begin(by: authority)
      return Response.uncached(.accepted) { json.write(backup, to: &$0) }
        .with(.location, HeaderValue(json.address(of: backup.id)))
    } catch {
      guard case MemeError.backupRunning(let id) = error else { throw error }
      var headers = Headers()
      headers[.location] = HeaderValue(json.address(of: id))
      throw Problem(.backupRunning, headers: headers)
    }
  }

  private func list(_ call: Call) async throws -> Response {
    let backups = try backups
    let all = try backups.all()
    return .uncached { writer in
      writer.object { writer in
        writer.array("items") { writer in
          for backup in all { json.write(backup, to: &writer) }
        }
        writer.null("nextCursor")
        if let free = backups.freeBytes {
          writer.member("freeBytes", free)
        } else {
          writer.null("freeBytes")
        }
        writer.member("intervalSeconds", intervalSeconds)
        writer.member("keepDays", backups.keeping.days)
        writer.member("keepWeeks", backups.keeping.weeks)
        writer.member("keepManual", backups.keeping.manual)
      }
    }
  }

  private func detail(_ call: Call) async throws -> Response {
    let backup = try backups.backup(call.id())
    return .uncached { json.write(backup, to: &$0) }
  }

  private func remove(_ call: Call) async throws -> Response {
    try await backups.remove(call.id(), by: call.authority())
    return .noContent
  }

  private func file(_ call: Call) async throws -> Response {
    let (backup, file) = try await backups.open(call.id(), by: call.authority())
    // A backup never changes, so its ID can serve as the entity tag.
    var response = Response(.ok, headers: Headers([(.contentType, "application/vnd.sqlite3")]))
      .with(.etag, HeaderValue("\"\(backup.id)\""))
      .with(.acceptRanges, "bytes")
      .with(.contentDisposition, HeaderValue("attachment; filename=\"\(backup.fileName)\""))
      .with(.cacheControl, "no-store")
    response.file = FilePart(file)
    return response
  }
}
