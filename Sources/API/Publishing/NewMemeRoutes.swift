import Bytes
import HTTP
package import Memes
package import Services
package import Storage

/// New memes: create, including repeated requests, and preview.
package struct NewMemeRoutes: Sendable {
  private let publisher: Publisher
  private let memes: MemeStore
  private let drafts: DraftReader
  private let tokens: any TokenKeeper
  private let context: APIContext
  private let responses: MemeResponse
  private let form: Route.Body

  package init(
    publisher: Publisher, memes: MemeStore, drafts: DraftReader, tokens: any TokenKeeper,
    context: APIContext
  ) {
    (self.publisher, self.memes, self.drafts) = (publisher, memes, drafts)
    (self.tokens, self.context, responses) = (tokens, context, MemeResponse(context))
    form = MemeForm.body(maxUploadBytes: context.maxUploadBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .post, "/memes", access: .viewer, limit: .upload, body: form, takesKeys: true, publish),
      Route(.post, "/memes/preview", access: .viewer, limit: .preview, body: form, preview),
    ]
  }

  private func publish(_ call: Call) async throws -> Response {
    var (draft, formats) = try await drafts.draft(of: call)
    let wantsPicture = try call.accept.prefersPicture(of: &draft, among: formats)
    let request = call.idempotentRequest(context.digest) { [self] made in
      var response = created(made, asPicture: wantsPicture, for: call.viewer)
      // Do not store the picture a second time: the meme has it.
      if wantsPicture { response.body = Bytes() }
      return response
    }
    let publication: Publication
    do { publication = try await publisher.publish(draft, by: call.viewer, under: request) } catch {
      guard case MemeError.idTaken = error, let id = draft.id, let person = call.viewer.person,
        let meme = try? await memes.meme(id, for: call.viewer), meme.author?.id == person
      else { throw error }
      throw responses.problem(error, showing: meme, to: call.viewer)
    }
    switch publication {
    case .created(let made):
      let response = created(made, asPicture: wantsPicture, for: call.viewer)
      return withDeleteToken(response, of: made.meme.id, for: call.viewer)
    case .repeated(let first):
      let response = try await repeated(first, asPicture: wantsPicture, for: call.viewer)
      return withDeleteToken(response, of: MemeID(first.made), for: call.viewer)
    case .existing(let meme):
      guard wantsPicture else { return responses.response(meme, for: call.viewer) }
      return Response(try await memes.picture(.image, of: meme.id, for: call.viewer), version: nil)
    }
  }

  /// The response to an upload, without the delete token.
  private func created(_ made: MadeMeme, asPicture: Bool, for viewer: Principal) -> Response {
    var response =
      asPicture
      ? Response(picture: made.image, for: made.meme.visibility)
      : responses.response(made.meme, for: viewer, getsToken: viewer.keepsByToken)
    response.status = .created
    response.headers[.location] = HeaderValue(responses.json.url(of: made.meme.id))
    return response
  }

  /// - Throws: `gone` if the response contained a picture that has changed since.
  private func repeated(
    _ first: IdempotencyRecord, asPicture: Bool, for viewer: Principal
  ) async throws -> Response {
    var response = try first.replayedResponse()
    if asPicture {
      let picture = try await memes.picture(.image, of: MemeID(first.made), for: viewer).file
      guard Response(stored: picture).headers[.etag] == response.headers[.etag] else {
        throw Problem(
          .gone, "The picture has changed since the first request with this Idempotency-Key.")
      }
      response.body = try await picture.bytes()
    }
    return response
  }

  private func withDeleteToken(
    _ response: Response, of meme: MemeID, for viewer: Principal
  ) -> Response {
    guard viewer.keepsByToken else { return response }
    return response.handingOut(deleteToken: tokens.deleteToken(for: .meme(meme)))
  }

  private func preview(_ call: Call) async throws -> Response {
    var (draft, formats) = try await drafts.draft(of: call)
    try call.accept.requirePicture(of: &draft, among: formats)
    return Response(picture: try await publisher.preview(draft, by: call.viewer))
      .with(.cacheControl, "no-store")
  }
}
