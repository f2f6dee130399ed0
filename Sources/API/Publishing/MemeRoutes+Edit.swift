import Bytes
import HTTP
import Memes
import Services

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

  /// Runs a change of a meme. If the request is for another version, the error contains the current meme as the viewer
  /// sees it. So the client can merge the changes without another request.
  func showingCurrent<Result>(
    _ call: Call, _ change: () async throws -> Result
  ) async throws -> Result {
    do { return try await change() } catch MemeError.versionMismatch {
      let meme = try? await browsing.meme(call.memeID(), for: call.viewer)
      throw problem(MemeError.versionMismatch, showing: meme, to: call.viewer)
    }
  }

  /// Converts an error into a problem that contains the meme, if it is known.
  func problem(_ error: any Error, showing meme: Meme?, to viewer: Principal) -> Problem {
    var problem = Problem(error)
    guard let meme else { return problem }
    var writer = JSONWriter(capacity: 2048)
    json.write(meme, for: viewer, to: &writer)
    problem.member = writer.finish().utf8Text.map { Problem.Member("meme", json: $0) }
    return problem
  }
}

extension FieldDecoder {
  /// Reads an edit as a JSON merge patch (RFC 7396). Omitted fields keep their value, and `null` resets a
  /// field to its default.
  ///
  /// - Throws: `invalidInput` with every invalid field.
  fileprivate mutating func revision(
    of meme: Meme, faces: [FontFace], formats: [OutputFormat]
  ) throws(Problem) -> Revision {
    let picture = pictureSource()
    var base = meme.recipe
    // The crop is in pixels of the previous picture.
    if picture != nil { base.crop = nil }
    let recipe = recipe(over: base, faces: faces)
    var altText = meme.writtenAltText
    if has("altText") {
      altText = text("altText", AltText.init(_:)).flatMap { $0.text.isEmpty ? nil : $0 }
    }
    // Keep the current format, unless the picture is replaced.
    var format = picture == nil ? meme.format.flatMap { formats.contains($0) ? $0 : nil } : nil
    if has("format") { format = word("format", among: formats) }
    var visibility = meme.visibility
    if has("visibility") { visibility = self.visibility(hasAuthor: meme.author != nil) ?? .public }
    try finish()
    return Revision(
      recipe: recipe, altText: altText, visibility: visibility, format: format, picture: picture)
  }
}
