import Bytes
import HTTP

extension Response {
  /// With the token that deletes what was made, as the last member of its JSON and in a header field.
  ///
  /// What is kept of an answer has no secrets: this adds the one that it was given with.
  func handingOut(deleteToken token: String) -> Response {
    var response = self
    if headers[.contentType] == "application/json" {
      response.body = Self.adding(deleteToken: token, to: body)
    }
    response.headers[.memeDeleteToken] = HeaderValue(token)
    // A secret must not be kept on the way.
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private static func adding(deleteToken: String, to object: Bytes) -> Bytes {
    var member = JSONWriter()
    member.object { $0.member("deleteToken", deleteToken) }
    let added = member.finish().withUnsafeBytes { Array($0.dropFirst()) }
    return Bytes(object.withUnsafeBytes { Array($0.dropLast()) } + [UInt8(ascii: ",")] + added)
  }
}
