/// The token of an `Authorization: Bearer` field (RFC 6750 §2.1).
package struct BearerToken: Sendable {
  package let text: String

  /// - Returns: `nil` where the request has no credentials.
  /// - Throws: 401 where its credentials are of another scheme or malformed.
  package static func read(_ headers: Headers) throws(Problem) -> BearerToken? {
    let values = headers.all(.authorization)
    guard let value = values.first?.text else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard values.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw Problem(.unauthorized, "The Authorization header is not a bearer token.")
    }
    let token = parts[1].trimmingSpaces()
    guard !token.isEmpty, token.utf8.count <= 512 else {
      throw Problem(.unauthorized, "The bearer token is malformed.")
    }
    return BearerToken(text: String(token))
  }
}
