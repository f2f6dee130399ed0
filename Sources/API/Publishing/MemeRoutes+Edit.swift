import Bytes
import HTTP
import Memes

/// `PATCH /memes/{id}`.
extension MemeRoutes {
  func edit(_ call: Call) async throws -> Response {
    let sent = try MemeForm.fields(of: call.request.body, emptyIsNull: true)
    let meme = try await showingCurrent(call) {
      try await editing.edit(
        call.memeID(), if: call.versionCondition(), by: call.viewer, request: call.requestName
      ) { meme in
        var fields = sent
        let formats = try await formats.available(
          naming: sent.sentText("format") ?? meme.format?.rawValue, or: nil)
        return try fields.revision(of: meme, faces: fonts.faces, formats: formats)
      }
    }
    return detailResponse(meme, for: call.viewer)
  }

  /// Does what changes a meme. Where that is meant for another version, the problem has the meme as the viewer sees it now, so that
  /// a client can put both together without another request.
  func showingCurrent<Result>(
    _ call: Call, _ change: () async throws -> Result
  ) async throws -> Result {
    do { return try await change() } catch MemeError.versionMismatch {
      let meme = try? await browsing.meme(call.memeID(), for: call.viewer)
      throw problem(.versionMismatch, showing: meme, to: call.viewer)
    }
  }

  /// The problem with the meme that it is about, if there is one to show.
  func problem(_ error: MemeError, showing meme: Meme?, to viewer: Viewer) -> Problem {
    var problem = Problem(error)
    guard let meme else { return problem }
    var writer = JSONWriter(capacity: 2048)
    json.write(meme, for: viewer, to: &writer)
    problem.member = writer.finish().utf8Text.map { Problem.Member("meme", json: $0) }
    return problem
  }
}

extension FieldReader {
  /// Reads an edit of a meme (RFC 7396): what was not sent stays, and what is `null` becomes what it is where nobody chooses.
  ///
  /// - Throws: 422 with every field that is invalid.
  fileprivate mutating func revision(
    of meme: Meme, faces: [FontFace], formats: [OutputFormat]
  ) throws(Problem) -> Revision {
    let picture = pictureSource()
    var base = meme.recipe
    // It is in pixels of the picture that there was.
    if picture != nil { base.crop = nil }
    let recipe = recipe(over: base, faces: faces)
    var altText = meme.writtenAltText
    if has("altText") {
      altText = text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 }
    }
    // The kind of file that there is, but for another picture.
    var format = picture == nil ? meme.format.flatMap { formats.contains($0) ? $0 : nil } : nil
    if has("format") { format = word("format", among: formats) }
    var visibility = meme.visibility
    if has("visibility") { visibility = self.visibility(hasAuthor: meme.author != nil) ?? .public }
    try finish()
    return Revision(
      recipe: recipe, altText: altText, visibility: visibility, format: format, picture: picture)
  }
}
