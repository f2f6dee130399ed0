import Bytes

/// A failure as a client is told of it: an RFC 9457 problem document.
///
/// It is thrown where the failure is found and becomes a response in one place.
package struct Problem: Error, Equatable, Sendable {
  package let kind: ProblemKind
  /// What went wrong this time, in a sentence; never anything internal.
  package let detail: String?
  /// Every field that is invalid.
  package let fields: [InvalidField]
  /// Fields that belong to this failure, such as `Allow` to a 405.
  package let headers: Headers
  /// What failed inside, for the log; never sent.
  package let cause: String?
  /// What else the document says, which its kind alone has (RFC 9457 §3.2).
  package var member: Member?

  /// A member of the document, in JSON.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let json: String

    package init(_ name: String, json: String) { (self.name, self.json) = (name, json) }
  }

  package init(
    _ kind: ProblemKind, _ detail: String? = nil, fields: [InvalidField] = [],
    headers: Headers = Headers(), cause: String? = nil
  ) {
    (self.kind, self.detail, self.fields, self.headers) = (kind, detail, fields, headers)
    self.cause = cause
  }

  /// The problem document (RFC 9457 §3) with the headers that belong to its status.
  ///
  /// - Parameters:
  ///   - id: becomes `instance`.
  ///   - basePath: what addresses begin with; no slash at its end.
  package func response(id: RequestID, basePath: String = "") -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "\(basePath)/problems/\(kind.rawValue)")
      json.member("title", kind.title)
      json.member("status", kind.status.code)
      json.member("detail", detail ?? kind.explanation)
      json.member("instance", id.text)
      json.member("code", kind.rawValue)
      if !fields.isEmpty {
        json.array("errors") { json in
          for field in fields {
            json.object { json in
              json.member("field", field.field)
              json.member("code", field.code)
              json.member("message", field.message)
            }
          }
        }
      }
      if let member {
        json.name(escaping: member.name)
        json.document(member.json)
      }
    }
    var response = Response(kind.status, "application/problem+json", json.finish())
    response.headers[.cacheControl] = "no-store"
    switch kind {
    case .unauthorized, .wrongCredentials:
      response.headers[.wwwAuthenticate] = #"Bearer realm="mememe""#
    case .idempotencyKeyInUse, .exportRunning, .overloaded, .renderTimeout, .notReady,
      .mailUnavailable, .storageBusy:
      response.headers[.retryAfter] = "2"
    default: break
    }
    for (name, value) in headers.fields { response.headers[name] = value }
    return response
  }
}

/// One field of the input that cannot be taken.
package struct InvalidField: Equatable, Sendable {
  package let field: String
  /// Stable and kebab-case: for programs.
  package let code: String
  /// One sentence: for people.
  package let message: String

  package init(_ field: String, code: String, message: String) {
    (self.field, self.code, self.message) = (field, code, message)
  }
}
