package import Bytes
import HTTP
package import Memes

/// Pictures that are sent ahead of the memes that are made of them.
package struct UploadRoutes: Sendable {
  private let uploading: Uploading
  let resuming: Resuming
  private let digest: Digester
  let basePath: String
  let maxUploadBytes: Int
  private let spool: SpoolPlace

  /// - Parameters:
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - maxUploadBytes: of a picture's file.
  ///   - spool: where uploads wait while they arrive.
  package init(
    uploading: Uploading, resuming: Resuming, digest: @escaping Digester, basePath: String,
    maxUploadBytes: Int, spool: SpoolPlace
  ) {
    (self.uploading, self.resuming, self.digest) = (uploading, resuming, digest)
    (self.basePath, self.maxUploadBytes, self.spool) = (basePath, maxUploadBytes, spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/uploads", access: .viewer, limit: .upload,
        body: .file(maximumBytes: maxUploadBytes, spool: spool), takesKeys: true, speaksTus: true,
        upload),
      Route(.get, "/uploads/{id}", access: .viewer, speaksTus: true, look),
      Route(
        .patch, "/uploads/{id}", access: .viewer, limit: .piece,
        body: .own(Tus.mediaType, maximumBytes: maxUploadBytes, pieceReader), speaksTus: true,
        append),
      Route(
        .delete, "/uploads/{id}", access: .viewer, limit: .change, speaksTus: true, delete),
    ]
  }

  private func upload(_ call: Call) async throws -> Response {
    if try Tus.isSpoken(call.request.head.headers) { return try await begin(call) }
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.unsupportedPicture, "The body is empty. It must be a picture's file.")
    }
    let retry = call.retry(digest, keeping: created)
    switch try await uploading.keep(picture, by: call.viewer, under: retry) {
    case .kept(let upload): return created(upload)
    case .repeated(let first): return try first.response()
    }
  }

  /// There is no `Location`: nothing more can be sent there.
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
