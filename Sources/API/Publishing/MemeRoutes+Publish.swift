import Bytes
import HTTP
import Memes
import Services

/// `POST /memes`, including repeated requests.
extension MemeRoutes {
  func publish(_ call: Call) async throws -> Response {
    var (draft, formats) = try await draft(of: call)
    let wantsPicture = try call.accept.prefersPicture(of: &draft, among: formats)
    let retry = call.retry(digest) { [self] made in
      var response = created(made, asPicture: wantsPicture, for: call.viewer)
      // Do not store the picture a second time: the meme has it.
      if wantsPicture { response.body = Bytes() }
      return response
    }
    let publication: Publication
    do { publication = try await publishing.publish(draft, by: call.viewer, under: retry) } catch {
      guard case MemeError.idTaken = error, let id = draft.id, let person = call.viewer.person,
        let meme = try? await browsing.meme(id, for: call.viewer), meme.author?.id == person
      else { throw error }
      throw problem(error, showing: meme, to: call.viewer)
    }
    switch publication {
    case .created(let made):
      let response = created(made, asPicture: wantsPicture, for: call.viewer)
      return withDeleteToken(response, of: made.meme.id, for: call.viewer)
    case .repeated(let first):
      let response = try await repeated(first, asPicture: wantsPicture, for: call.viewer)
      return withDeleteToken(response, of: MemeID(first.made), for: call.viewer)
    case .existing(let meme):
      guard wantsPicture else { return detailResponse(meme, for: call.viewer) }
      return Response(
        try await browsing.picture(.image, of: meme.id, for: call.viewer), version: nil)
    }
  }

  /// The response to an upload, without the delete token.
  private func created(_ made: MadeMeme, asPicture: Bool, for viewer: Principal) -> Response {
    var response =
      asPicture
      ? Response(picture: made.image, for: made.meme.visibility)
      : detailResponse(made.meme, for: viewer, getsToken: viewer.keepsByToken)
    response.status = .created
    response.headers[.location] = HeaderValue(json.url(of: made.meme.id))
    return response
  }

  /// - Throws: `gone` if the response contained a picture that has changed since.
  private func repeated(
    _ first: IdempotencyRecord, asPicture: Bool, for viewer: Principal
  ) async throws -> Response {
    var response = try first.response()
    if asPicture {
      let picture = try await browsing.picture(.image, of: MemeID(first.made), for: viewer).file
      guard Response(picture: picture).headers[.etag] == response.headers[.etag] else {
        throw Problem(.gone, "The picture was changed since.")
      }
      response.body = picture.bytes
    }
    return response
  }

  private func withDeleteToken(
    _ response: Response, of meme: MemeID, for viewer: Principal
  ) -> Response {
    guard viewer.keepsByToken else { return response }
    return response.handingOut(deleteToken: tokens.deleteToken(for: .meme(meme)))
  }
}
