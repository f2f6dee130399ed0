package import Bytes
import HTTP
package import Memes

/// Everything that is a person's, in one archive.
package struct ExportRoutes: Sendable {
  private let exporting: Exporting
  private let now: @Sendable () -> Timestamp
  private let basePath: String
  private let spool: SpoolPlace

  /// - Parameters:
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - spool: where archives wait until they are fetched.
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
    // The next one may begin when this one is fetched, or its client gone: a person has one archive on the disk.
    let body = try archive.finish().keeping(turn)
    var response = Response(.ok, "application/zip", body)
    response.headers[.contentDisposition] = HeaderValue(
      "attachment; filename=\"\(archive.name).zip\"")
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
