import HTTP
import Memes

extension Call {
  /// The versions that the request is meant for, by its `If-Match`.
  ///
  /// A meme's tag is `"<version>.<digest>"`, and its digest changes with who looks. Only the version counts here, and
  /// `"<version>"` alone will do. Any other tag is of no version, and a weak one never matches (RFC 9110 §13.1.1).
  ///
  /// - Throws: 400 where the field cannot be read.
  func versionCondition() throws(Problem) -> VersionCondition {
    switch try Preconditions.ifMatch(request.head.headers) {
    case nil, .any: .any
    case .tags(let tags): .oneOf(Set(tags.filter { !$0.isWeak }.compactMap(\.memeVersion)))
    }
  }
}

extension EntityTag {
  /// The version of the meme that the tag is of.
  fileprivate var memeVersion: Int? {
    let text = opaque.prefix { $0 != "." }
    return Int(text).flatMap { String($0) == text ? $0 : nil }
  }
}

extension FieldReader {
  /// The version of a picture that an address is of.
  mutating func version() -> Int? {
    number("v") { number throws(InvalidValue) in
      guard number >= 1 else {
        throw InvalidValue(code: "out-of-range", message: "Versions count from 1.")
      }
      return number
    }
  }
}
