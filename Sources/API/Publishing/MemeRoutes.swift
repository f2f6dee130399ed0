import HTTP
package import Memes
package import Services
package import Storage

/// Single memes: show, edit, delete, restore and claim.
package struct MemeRoutes: Sendable {
  private let memes: MemeStore
  private let editor: MemeEditor
  private let trash: Trash
  private let claim: MemeClaim
  private let fonts: InstalledFonts
  private let context: APIContext
  private let responses: MemeResponse
  private let editBody: Route.Body
  private let claimBody: Route.Body

  package init(
    memes: MemeStore, editor: MemeEditor, trash: Trash, claim: MemeClaim,
    fonts: InstalledFonts, context: APIContext
  ) {
    (self.memes, self.editor, self.trash, self.claim) = (memes, editor, trash, claim)
    (self.fonts, self.context, responses) = (fonts, context, MemeResponse(context))
    editBody = MemeForm.edit(maxUploadBytes: context.maxUploadBytes, spool: context.spool)
    claimBody = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(.get, "/memes/{id}", access: .viewer, cachePolicy: .untilItsMemeChanges, detail),
      Route(
        .patch, "/memes/{id}", access: .credentials, takesTokens: true, limit: .upload,
        body: editBody, edit),
      Route(
        .delete, "/memes/{id}", access: .credentials, takesTokens: true, limit: .change, delete),
      Route(
        .post, "/memes/{id}/restore", access: .credentials, takesTokens: true, limit: .change,
        restore),
      Route(
        .post, "/memes/{id}/claim", access: .person, takesTokens: true, limit: .upload,
        body: claimBody, claimed),
    ]
  }

  private func detail(_ call: Call) async throws -> Response {
    let meme = try await memes.meme(call.memeID(), for: call.viewer)
    let response =
      try call.accept.prefersPicture(as: meme.image.format)
      ? Response(try await memes.picture(.image, of: meme.id, for: call.viewer), version: nil)
      : responses.response(meme, for: call.viewer)
    return response.with(.vary, "Accept")
  }

  private func edit(_ call: Call) async throws -> Response {
    var fields = try MemeForm.fields(of: call.request.body, emptyIsNull: true)
    let patch = fields.memePatch(faces: fonts.faces)
    do {
      let meme = try await editor.edit(
        call.memeID(), patch: patch, if: call.versionCondition(), by: call.viewer,
        request: call.requestName)
      return responses.response(meme, for: call.viewer)
    } catch let mismatch as MemeVersionMismatch {
      throw responses.problem(
        MemeError.versionMismatch, showing: mismatch.current, to: call.viewer)
    }
  }

  private func delete(_ call: Call) async throws -> Response {
    let (id, condition) = (try call.memeID(), try call.versionCondition())
    let time = context.now()
    do {
      try await memes.delete(
        id, if: condition, by: call.viewer, at: time, restorable: trash.keepsAnything,
        recording: AuditEntry(at: time, call.viewer, .deleteMeme, .meme(id), call.requestName))
    } catch MemeError.versionMismatch {
      let meme = try? await memes.meme(id, for: call.viewer)
      throw responses.problem(MemeError.versionMismatch, showing: meme, to: call.viewer)
    }
    return .noContent
  }

  private func restore(_ call: Call) async throws -> Response {
    let (id, time) = (try call.memeID(), context.now())
    let meme = try await memes.restore(
      id, by: call.viewer, deletedAfter: trash.horizon(at: time),
      recording: AuditEntry(at: time, call.viewer, .restoreMeme, .meme(id), call.requestName))
    return responses.response(meme, for: call.viewer)
  }

  private func claimed(_ call: Call) async throws -> Response {
    let person = try call.signedIn().person
    var fields = try FieldDecoder(people: call.request.body, known: ["deleteToken"])
    let token = fields.required("deleteToken") { (text) in text }
    try fields.finish()
    guard let token else { throw Problem(.invalidInput) }
    let meme = try await claim.claim(call.memeID(), showing: token, for: person)
    return responses.response(meme, for: call.viewer)
  }
}
