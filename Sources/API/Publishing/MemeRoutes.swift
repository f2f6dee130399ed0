package import Bytes
import HTTP
package import Memes
package import Services

/// Memes: create, preview, list, show, edit, delete, restore and claim.
package struct MemeRoutes: Sendable {
  let publishing: Publishing
  let browsing: Browsing
  let deriving: Deriving
  let editing: Editing
  private let removing: Removing
  private let settings: KeepingSettings
  private let claiming: Claiming
  let tokens: any TokenKeeper
  let digest: Digester
  let json: MemeJSON
  let fonts: InstalledFonts
  let formats: any WritableFormats
  /// Whether `Accept` selects the format of an image if the request does not name one.
  let negotiates: Bool
  private let form: Route.Body
  private let editForm: Route.Body
  private let claimBody: Route.Body

  /// - Parameters:
  ///   - negotiates: whether `Accept` selects the format of an image if the request does not name one.
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where uploads are stored while they arrive.
  package init(
    publishing: Publishing, browsing: Browsing, deriving: Deriving, editing: Editing,
    removing: Removing, claiming: Claiming, settings: KeepingSettings, tokens: any TokenKeeper,
    fonts: InstalledFonts,
    formats: any WritableFormats, negotiates: Bool, digest: @escaping Digester, basePath: String,
    maxUploadBytes: Int, spool: SpoolPlace
  ) {
    (self.publishing, self.browsing, self.deriving) = (publishing, browsing, deriving)
    (self.editing, self.removing, self.claiming) = (editing, removing, claiming)
    (self.settings, self.negotiates) = (settings, negotiates)
    (self.tokens, self.fonts, self.formats, self.digest) = (tokens, fonts, formats, digest)
    json = MemeJSON(basePath: basePath)
    form = MemeForm.body(maxUploadBytes: maxUploadBytes, spool: spool)
    editForm = MemeForm.edit(maxUploadBytes: maxUploadBytes, spool: spool)
    claimBody = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/memes", access: .viewer, limit: .upload, body: form, takesKeys: true, publish),
      Route(.post, "/memes/preview", access: .viewer, limit: .preview, body: form, preview),
      Route(
        .get, "/memes", access: .viewer, limit: .search, counting: "q",
        query: ["author", "q", "sort", "view", "limit", "cursor"], cachePolicy: .untilMemesChange,
        list),
      Route(.get, "/feed", access: .person, query: ["view", "limit", "cursor"], feed),
      Route(
        .get, "/users/{username}/memes", access: .viewer, query: ["view", "limit", "cursor"],
        cachePolicy: .untilMemesChange, listOfAuthor),
      Route(
        .get, "/users/me/favorites", access: .person, query: ["view", "limit", "cursor"],
        listOfFavorites),
      Route(.get, "/memes/{id}", access: .viewer, cachePolicy: .untilItsMemeChanges, detail),
      Route(.patch, "/memes/{id}", access: .credentials, limit: .upload, body: editForm, edit),
      Route(.delete, "/memes/{id}", access: .credentials, limit: .change, delete),
      Route(.post, "/memes/{id}/restore", access: .credentials, limit: .change, restore),
      Route(.post, "/memes/{id}/claim", access: .person, limit: .upload, body: claimBody, claim),
      Route(
        .get, "/memes/{id}/image", access: .viewer, query: ["v", "width", "format"],
        cachePolicy: .untilItsLookChanges, image),
      Route(
        .get, "/memes/{id}/thumbnail", access: .viewer, query: ["view", "v"],
        cachePolicy: .untilItsLookChanges, thumbnail),
      Route(.get, "/memes/{id}/original", access: .viewer, original),
    ]
  }

  private func preview(_ call: Call) async throws -> Response {
    var (draft, formats) = try await draft(of: call)
    try call.accept.requirePicture(of: &draft, among: formats)
    var response = Response(picture: try await publishing.preview(draft, by: call.viewer))
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private func detail(_ call: Call) async throws -> Response {
    let meme = try await browsing.meme(call.memeID(), for: call.viewer)
    var response =
      try call.accept.prefersPicture(as: meme.image.format)
      ? Response(try await browsing.picture(.image, of: meme.id, for: call.viewer), version: nil)
      : detailResponse(meme, for: call.viewer)
    response.headers[.vary] = "Accept"
    return response
  }

  private func delete(_ call: Call) async throws -> Response {
    try await showingCurrent(call) {
      try await removing.delete(
        call.memeID(), if: call.versionCondition(), by: call.viewer, request: call.requestName)
    }
    return .noContent
  }

  private func restore(_ call: Call) async throws -> Response {
    let meme = try await removing.restore(
      call.memeID(), by: call.viewer, request: call.requestName)
    return detailResponse(meme, for: call.viewer)
  }

  private func claim(_ call: Call) async throws -> Response {
    let person = try call.signedIn().person
    var fields = try FieldDecoder(people: call.request.body, known: ["deleteToken"])
    let token = fields.required("deleteToken") { (text) in text }
    try fields.finish()
    guard let token else { throw Problem(.invalidInput) }
    return detailResponse(
      try await claiming.claim(call.memeID(), showing: token, for: person), for: call.viewer)
  }

  private func thumbnail(_ call: Call) async throws -> Response {
    var query = call.query
    let view = query.word("view", ThumbnailView.self) ?? .grid
    let version = query.version()
    try query.finish()
    return try await picture(
      view == .table ? .tableThumbnail : .gridThumbnail, call, version: version)
  }

  private func original(_ call: Call) async throws -> Response {
    var response = try await picture(.original, call)
    response.headers[.cacheControl] = "private, no-cache"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    return response
  }

  private func picture(
    _ role: PictureRole, _ call: Call, version: Int? = nil
  ) async throws -> Response {
    Response(
      try await browsing.picture(role, of: call.memeID(), version: version, for: call.viewer),
      version: version)
  }
}

extension MemeRoutes {
  private enum ThumbnailView: String, CaseIterable { case table, grid }

  func detailResponse(
    _ meme: Meme, for viewer: Principal, getsToken: Bool = false
  ) -> Response {
    var writer = JSONWriter(capacity: 2048)
    json.write(meme, for: viewer, getsToken: getsToken, to: &writer)
    let body = writer.finish()
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(meme.version).\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  /// Reads the draft of a request, and the formats that the picture may have.
  func draft(of call: Call) async throws -> (draft: MemeDraft, formats: [OutputFormat]) {
    let fields = try MemeForm.fields(of: call.request.body)
    let formats = try await formats.available(
      naming: fields.sentText("format"), or: call.accept)
    let draft = try MemeForm.draft(
      from: fields, over: settings.settings(of: call.viewer), by: call.viewer, faces: fonts.faces,
      formats: formats)
    return (draft, formats)
  }
}
