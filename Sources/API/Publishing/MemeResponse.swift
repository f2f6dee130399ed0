import Bytes
import HTTP
import Memes

/// Creates the responses that show one meme.
struct MemeResponse {
  let json: MemeJSON
  private let digest: Digester

  init(_ context: APIContext) {
    (json, digest) = (MemeJSON(basePath: context.basePath), context.digest)
  }

  /// The meme as the viewer sees it.
  ///
  /// - Parameter getsToken: whether this response gives the viewer the meme's `deleteToken`.
  func response(_ meme: Meme, for viewer: Principal, getsToken: Bool = false) -> Response {
    var writer = JSONWriter(capacity: 2048)
    json.write(meme, for: viewer, getsToken: getsToken, to: &writer)
    var response = Response.revalidated(writer.finish(), version: "\(meme.version).", digest)
    response.listed = meme.source.map { [$0.uuid] } ?? []
    return response
  }

  /// Converts an error into a problem that contains the meme as the viewer sees it, if it is known.
  func problem(_ error: any Error, showing meme: Meme?, to viewer: Principal) -> Problem {
    var problem = Problem(error)
    guard let meme else { return problem }
    var writer = JSONWriter(capacity: 2048)
    json.write(meme, for: viewer, to: &writer)
    problem.member = writer.finish().utf8Text.map { Problem.Member("meme", json: $0) }
    return problem
  }
}
