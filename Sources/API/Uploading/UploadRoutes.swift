import Bytes
import HTTP
import Memes
package import Services

/// Pictures that clients upload before they create memes from them.
package struct UploadRoutes: Sendable {
  private let uploads: Uploads
  let resumable: ResumableUploads
  let context: APIContext

  package init(uploads: Uploads, resumable: ResumableUploads, context: APIContext) {
    (self.uploads, self.resumable, self.context) = (uploads, resumable, context)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/uploads", access: .viewer, limit: .upload,
        body: .file(maximumBytes: context.maxUploadBytes, spool: context.spool), takesKeys: true,
        supportsTus: true, upload),
      Route(.get, "/uploads/{id}", access: .viewer, supportsTus: true, look),
      Route(
        .patch, "/uploads/{id}", access: .viewer, limit: .piece,
        body: .own(Tus.mediaType, maximumBytes: context.maxUploadBytes, pieceReader),
        supportsTus: true, append),
      Route(
        .delete, "/uploads/{id}", access: .viewer, limit: .change, supportsTus: true, delete),
    ]
  }

  private func upload(_ call: Call) async throws -> Response {
    if try Tus.isUsed(call.request.head.headers) { return try await begin(call) }
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.unsupportedPicture, "The request body is empty. Send a picture file.")
    }
    let request = call.idempotentRequest(context.digest, keeping: created)
    switch try await uploads.keep(picture, by: call.viewer, under: request) {
    case .kept(let upload): return created(upload)
    case .repeated(let first): return try first.replayedResponse()
    }
  }

  /// Has no `Location`: the upload is complete and cannot be resumed.
  private func created(_ upload: Upload) -> Response {
    // The ID grants access to the picture.
    .uncached(.created) { json in
      json.object { json in
        json.member("id", upload.id.description)
        json.member("width", upload.picture.size.width)
        json.member("height", upload.picture.size.height)
        json.member("mediaType", upload.picture.format.mediaType)
        json.member("expiresAt", upload.expiresAt.description)
      }
    }
  }
}
