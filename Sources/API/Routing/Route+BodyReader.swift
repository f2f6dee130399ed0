import Bytes
import HTTP

extension Route.Body {
  /// What reads such a body.
  ///
  /// - Throws: 415 where the Content-Type is not one of those that it may have; 400 where it has no good boundary.
  func reader(contentType: HeaderValue?) throws(Problem) -> any BodyReader {
    switch self {
    case .none: return NoBody()
    case .form(let rule, _): return try FormReader(contentType: contentType, rule: rule)
    case .file(_, let spool): return BytesReader(in: spool)
    case .json(_, let spool):
      guard contentType?.isJSON == true else {
        throw Self.unsupported("The body must be application/json.", accept: "application/json")
      }
      return BytesReader(in: spool)
    case .formOrJSON(let rule, _, _):
      if contentType?.isJSON == true { return BytesReader(in: rule.spool) }
      guard contentType?.isMultipart == true else {
        throw Self.unsupported(
          "The body must be application/json, or multipart/form-data.",
          accept: Self.formOrJSONTypes)
      }
      return try FormReader(contentType: contentType, rule: rule)
    }
  }

  /// What the Content-Type of a form or of JSON may be.
  static let formOrJSONTypes: HeaderValue =
    "application/json, application/merge-patch+json, multipart/form-data"

  /// How many bytes such a body may have.
  func maximumBytes(contentType: HeaderValue?) -> Int {
    if case .formOrJSON(_, _, let maximumJSONBytes) = self, contentType?.isJSON == true {
      return maximumJSONBytes
    }
    return maximumBytes
  }

  /// A 415 says in its Accept what would do (RFC 9110 §15.5.16).
  private static func unsupported(_ detail: String, accept: HeaderValue) -> Problem {
    Problem(.unsupportedMediaType, detail, headers: Headers([(.accept, accept)]))
  }
}

extension HeaderValue {
  fileprivate var isJSON: Bool {
    mediaType == "application/json" || mediaType == "application/merge-patch+json"
  }

  fileprivate var isMultipart: Bool { mediaType == "multipart/form-data" }

  /// In lower case, without parameters. JSON has none that mean anything (RFC 8259 §11).
  private var mediaType: String {
    text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
  }
}
