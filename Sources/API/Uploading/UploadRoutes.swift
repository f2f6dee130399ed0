package import Bytes
import HTTP
package import Memes
package import Services

/// Pictures that clients upload before they create memes from them.
package struct UploadRoutes: Sendable {
  private let uploading: Uploading
  let resuming: Resuming
  private let digest: Digester
  let basePath: String
  let maxUploadBytes: Int
  private let spool: SpoolPlace

  /// - Parameters:
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where uploads are stored while they arrive.
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
        body: .file(maximumBytes: maxUploadBytes, spool: spool), takesKeys: true, supportsTus: true,
        upload),
      Route(.get, "/uploads/{id}", access: .viewer, supportsTus: true, look),
      Route(
        .patch, "/uploads/{id}", access: .viewer, limit: .piece,
        body: .own(Tus.mediaType, maximumBytes: maxUploadBytes, pieceReader), supportsTus: true,
        append),
      Route(
        .delete, "/uploads/{id}", access: .viewer, limit: .change, supportsTus: true, delete),
    ]
  }

  private func upload(_ call: Call) async throws -> Response {
    if try Tus.isUsed(call.request.head.headers) { return try await begin(call) }
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.unsupportedPicture, "The body is empty. It must be a picture's file.")
    }
    let retry = call.retry(digest, keeping: created)
    switch try await uploading.keep(picture, by: call.viewer, under: retry) {
    case .kept(let upload): return created(upload)
    case .repeated(let first): return try first.response()
    }
  }

  /// Has no `Location`: the upload is complete and cannot be resumed.
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
    // The ID grants access to the picture.
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
