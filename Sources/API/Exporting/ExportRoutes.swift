package import Bytes
import HTTP
import Memes
package import Services

/// Export of all data of a user in one archive.
package struct ExportRoutes: Sendable {
  private let userData: UserDataExport
  private let spool: SpoolPlace
  private let context: APIContext

  /// - Parameter spool: where archives are stored until the client has downloaded them. Not the place for request
  ///   bodies, because a client may download an archive slowly, and must not take up memory for so long.
  package init(userData: UserDataExport, spool: SpoolPlace, context: APIContext) {
    (self.userData, self.spool, self.context) = (userData, spool, context)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/users/me/export", access: .leaving, takesTokens: true, limit: .export,
        isLongRunning: true, export)
    ]
  }

  private func export(_ call: Call) async throws -> Response {
    let credential = try call.signedIn()
    let lock = try await userData.begin(for: credential.person)
    let time = context.now()
    let archive = ExportArchive(
      of: lock.user.username, by: credential, at: time, basePath: context.basePath, in: spool)
    let isSession = if case .session = credential { true } else { false }
    try await userData.export(lock, at: time, includesAccess: isSession) { try archive.add($0) }
    // The body holds the lock until it is sent or the client disconnects. So a user has at most one archive on disk.
    let body = try archive.finish().keeping(lock)
    return Response(.ok, "application/zip", body)
      .with(.contentDisposition, HeaderValue("attachment; filename=\"\(archive.name).zip\""))
      .with(.cacheControl, "no-store")
  }
}
