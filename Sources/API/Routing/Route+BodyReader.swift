import Bytes
import HTTP

extension Route.Body {
  /// Creates a reader for such a body.
  ///
  /// - Throws: `unsupportedMediaType` if the body may not have this `Content-Type`; `malformedRequest` if a multipart
  ///   type has no valid boundary; the errors of the route's own reader.
  func reader(
    for head: RequestHead, _ parameters: Parameters
  ) async throws(Problem) -> any BodyReader {
    let contentType = head.headers[.contentType]
    switch self {
    case .none: return NoBody()
    case .form(let rule, _): return try FormReader(contentType: contentType, rule: rule)
    case .file(_, let spool): return BytesReader(in: spool)
    case .json(_, let spool):
      guard contentType?.isJSON == true else {
        throw unsupported("The Content-Type must be application/json.", contentType)
      }
      return BytesReader(in: spool)
    case .formOrJSON(let rule, _, _):
      if contentType?.isJSON == true { return BytesReader(in: rule.spool) }
      guard contentType?.isMultipart == true else {
        throw unsupported(
          "The Content-Type must be application/json or multipart/form-data.", contentType)
      }
      return try FormReader(contentType: contentType, rule: rule)
    case .own(let mediaType, _, let makeReader):
      guard contentType?.mediaType == mediaType.text else {
        throw unsupported("The Content-Type must be \(mediaType.text).")
      }
      return try await makeReader(head, parameters)
    }
  }

  /// The media types that the body may have; `nil` if the `Content-Type` is ignored.
  var mediaTypes: HeaderValue? {
    switch self {
    case .none, .file: nil
    case .form: "multipart/form-data"
    case .json: "application/json, application/merge-patch+json"
    case .formOrJSON: "application/json, application/merge-patch+json, multipart/form-data"
    case .own(let mediaType, _, _): mediaType
    }
  }

  /// The maximum size of a body with this `Content-Type`, in bytes.
  func maximumBytes(contentType: HeaderValue?) -> Int {
    if case .formOrJSON(_, _, let maximumJSONBytes) = self, contentType?.isJSON == true {
      return maximumJSONBytes
    }
    return maximumBytes
  }

  /// A 415 response lists the acceptable media types in `Accept` (RFC 9110 §15.5.16).
  private func unsupported(_ detail: String, _ contentType: HeaderValue? = nil) -> Problem {
    // The default media type of curl for a body from `-d`.
    let isCurls = contentType?.mediaType == "application/x-www-form-urlencoded"
    let hint =
      contentType == nil || isCurls
      ? " With curl, use --json for JSON and -F for forms." : ""
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

  /// The media type in lowercase, without parameters. JSON defines none (RFC 8259 §11).
  var mediaType: String {
    text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
  }
}
