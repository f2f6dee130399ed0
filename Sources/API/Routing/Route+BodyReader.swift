import Bytes
import HTTP

extension Route.Body {
  /// What reads such a body.
  ///
  /// - Throws: 415 where the Content-Type is not one of those that it may have; 400 where it has no good boundary; what a reader
  ///   of the route's own throws.
  func reader(
    for head: RequestHead, _ parameters: Parameters
  ) throws(Problem) -> any BodyReader {
    let contentType = head.headers[.contentType]
    switch self {
    case .none: return NoBody()
    case .form(let rule, _): return try FormReader(contentType: contentType, rule: rule)
    case .file(_, let spool): return BytesReader(in: spool)
    case .json(_, let spool):
      guard contentType?.isJSON == true else {
        throw unsupported("The body must be application/json.", contentType)
      }
      return BytesReader(in: spool)
    case .formOrJSON(let rule, _, _):
      if contentType?.isJSON == true { return BytesReader(in: rule.spool) }
      guard contentType?.isMultipart == true else {
        throw unsupported(
          "The body must be application/json, or multipart/form-data.", contentType)
      }
      return try FormReader(contentType: contentType, rule: rule)
    case .own(let mediaType, _, let makeReader):
      guard contentType?.mediaType == mediaType.text else {
        throw unsupported("The body must be \(mediaType.text).")
      }
      return try makeReader(head, parameters)
    }
  }

  /// What its Content-Type may be; `nil` where that is not looked at.
  var mediaTypes: HeaderValue? {
    switch self {
    case .none, .file: nil
    case .form: "multipart/form-data"
    case .json: "application/json, application/merge-patch+json"
    case .formOrJSON: "application/json, application/merge-patch+json, multipart/form-data"
    case .own(let mediaType, _, _): mediaType
    }
  }

  /// How many bytes such a body may have.
  func maximumBytes(contentType: HeaderValue?) -> Int {
    if case .formOrJSON(_, _, let maximumJSONBytes) = self, contentType?.isJSON == true {
      return maximumJSONBytes
    }
    return maximumBytes
  }

  /// A 415 says in its Accept what would do (RFC 9110 §15.5.16).
  private func unsupported(_ detail: String, _ contentType: HeaderValue? = nil) -> Problem {
    // curl sends this of a body that it was given with -d.
    let isCurls = contentType?.mediaType == "application/x-www-form-urlencoded"
    let hint =
      contentType == nil || isCurls
      ? " Set the Content-Type; with curl, send JSON by --json and forms by -F." : ""
    let detail = detail + hint
    let headers = mediaTypes.map { Headers([(.accept, $0)]) } ?? Headers()
    return Problem(.unsupportedMediaType, detail, headers: headers)
  }
}

extension HeaderValue {
  fileprivate var isJSON: Bool {
    mediaType == "application/json" || mediaType == "application/merge-patch+json"
  }

  fileprivate var isMultipart: Bool { mediaType == "multipart/form-data" }

  /// In lower case, without parameters. JSON has none that mean anything (RFC 8259 §11).
  fileprivate var mediaType: String {
    text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
  }
}
