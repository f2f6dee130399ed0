import HTTP
import Memes

extension Call {
  /// The versions in the `If-Match` of the request.
  ///
  /// The entity tag of a meme is `"<version>.<digest>"`, and the digest depends on the viewer. Only the version is
  /// compared, so `"<version>"` alone is also valid. Tags in another form match no version, and weak tags never match
  /// (RFC 9110 §13.1.1).
  ///
  /// - Throws: `malformedRequest` if the header field is malformed.
  func versionCondition() throws(Problem) -> VersionCondition {
    switch try Preconditions.ifMatch(request.head.headers) {
    case nil, .any: .any
    case .tags(let tags): .oneOf(Set(tags.filter { !$0.isWeak }.compactMap(\.memeVersion)))
    }
  }
}

extension EntityTag {
  /// The version of the meme that the tag names.
  fileprivate var memeVersion: Int? {
    let text = opaque.prefix { $0 != "." }
    return Int(text).flatMap { String($0) == text ? $0 : nil }
  }
}

extension FieldDecoder {
  /// Reads the version in the URL of a picture.
  mutating func version() -> Int? {
    number("v") { number in
      guard number >= 1 else {
        throw InvalidValue(code: "out-of-range", message: "Must be at least 1.")
      }
      return number
    }
  }
}
