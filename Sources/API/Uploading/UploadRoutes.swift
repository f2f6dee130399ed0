package import Bytes
import HTTP
package import Memes

/// Pictures that are sent ahead of the memes that are made of them.
package struct UploadRoutes: Sendable {
  private let uploading: Uploading
  private let digest: Digester
  private let body: Route.Body

  /// - Parameters:
  ///   - maxUploadBytes: of a picture's file.
  ///   - spool: where uploads wait while they arrive.
  package init(
    uploading: Uploading, digest: @escaping Digester, maxUploadBytes: Int, spool: SpoolPlace
  ) {
    (self.uploading, self.digest) = (uploading, digest)
    body = .file(maximumBytes: maxUploadBytes, spool: spool)
  }

  package var routes: [Route] {
    [Route(.post, "/uploads", access: .viewer, limit: .upload, body: body, takesKeys: true, upload)]
  }

  private func upload(_ call: Call) async throws -> Response {
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.unsupportedPicture, "The body is empty. It must be a picture's file.")
    }
    let retry = call.retry(digest, keeping: created)
    switch try await uploading.keep(picture, by: call.viewer, under: retry) {
    case .kept(let upload): return created(upload)
    case .repeated(let first): return try first.response()
    }
  }

  /// There is no `Location`: an upload has no address, only a name for others to use.
  private func created(_ upload: Upload) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("id", upload.id.description)
      json.member("width", upload.picture.size.width)
      json.member("height", upload.picture.size.height)
      json.member("mediaType", upload.picture.format.mediaType)
      json.member("expiresAt", upload.expiresAt.description)
    }
    var response = Response(.created, "application/json", json.finish())
    // Who has the id may use the picture.
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
