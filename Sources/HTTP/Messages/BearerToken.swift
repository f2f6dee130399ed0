/// The token of an `Authorization: Bearer` field (RFC 6750 §2.1).
package struct BearerToken: Sendable {
  package let text: String

  /// - Returns: `nil` if the request has no credentials.
  /// - Throws: 401 if its credentials have another scheme or are malformed.
  package static func read(_ headers: Headers) throws(Problem) -> BearerToken? {
    let values = headers.all(.authorization)
    guard let value = values.first?.text else { return nil }
    // The code compares bytes, because a space and a combining mark after it would form one character.
    let scheme = value.utf8.prefix { $0 != UInt8(ascii: " ") }
    guard values.count == 1, String(Substring(scheme)).lowercased() == "bearer" else {
      throw Problem(.unauthorized, "The Authorization header must be a bearer token.")
    }
    let token = String(Substring(value.utf8[scheme.endIndex...]).trimmingSpaces())
    guard (1...512).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw Problem(.unauthorized, "The bearer token is malformed.") }
    return BearerToken(text: token)
  }
}
