import Bytes
import HTTP

extension Response {
  /// Adds the delete token as the last member of the JSON and in a header field.
  ///
  /// Stored responses contain no secrets, so a repeated response gets its token here again.
  func handingOut(deleteToken token: String) -> Response {
    // Caches must not store a secret.
    var response = with(.memeDeleteToken, HeaderValue(token)).with(.cacheControl, "no-store")
    if headers[.contentType] == "application/json" {
      response.body = Self.adding(deleteToken: token, to: body)
    }
    return response
  }

  private static func adding(deleteToken: String, to object: Bytes) -> Bytes {
    var member = JSONWriter()
    member.object { $0.member("deleteToken", deleteToken) }
    let added = member.finish().withUnsafeBytes { Array($0.dropFirst()) }
    return Bytes(object.withUnsafeBytes { Array($0.dropLast()) } + [UInt8(ascii: ",")] + added)
  }
}
