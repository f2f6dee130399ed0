package import Bytes
import HTTP
package import Memes
package import Services

/// Export of all data of a user in one archive.
package struct ExportRoutes: Sendable {
  private let exporting: Exporting
  private let now: @Sendable () -> Timestamp
  private let basePath: String
  private let spool: SpoolPlace

  /// - Parameters:
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - spool: where archives are stored until the client has downloaded them.
  package init(
    exporting: Exporting, now: @escaping @Sendable () -> Timestamp, basePath: String,
    spool: SpoolPlace
  ) {
    (self.exporting, self.now) = (exporting, now)
    (self.basePath, self.spool) = (basePath, spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/users/me/export", access: .leaving, limit: .export, isLongRunning: true, export)
    ]
  }

  private func export(_ call: Call) async throws -> Response {
    let session = try call.signedIn()
    let turn = try await exporting.begin(for: session.person)
    let archive = ExportArchive(
      of: turn.user.username, by: session, at: now(), basePath: basePath, in: spool)
    try await exporting.export(turn) { try archive.add($0) }
    // The body holds the turn until it is sent or the client disconnects. So a user has at most one archive on disk.
    let body = try archive.finish().keeping(turn)
    var response = Response(.ok, "application/zip", body)
    response.headers[.contentDisposition] = HeaderValue(
      "attachment; filename=\"\(archive.name).zip\"")
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
