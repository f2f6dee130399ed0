import Bytes

/// A failure in the form that the client receives: an RFC 9457 problem document.
///
/// The code that detects the failure throws it. A single place turns it into a response.
package struct Problem: Error, Equatable, Sendable {
  package let kind: ProblemKind
  /// One sentence about this occurrence, without internal details.
  package let detail: String?
  /// All invalid fields.
  package let fields: [InvalidField]
  /// Header fields of this failure, such as `Allow` for a 405.
  package let headers: Headers
  /// The internal cause, for the log only.
  package let cause: String?
  /// An additional member of the document that only this kind has (RFC 9457 §3.2).
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

  /// The problem document (RFC 9457 §3), with the header fields for its status.
  ///
  /// - Parameters:
  ///   - id: the value of `instance`.
  ///   - basePath: the prefix of all addresses, without a slash at its end.
  package func response(id: RequestID, basePath: String = "") -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "\(basePath)/problems/\(kind.code)")
      json.member("title", kind.title)
      json.member("status", kind.status.code)
      json.member("detail", detail ?? kind.explanation)
      json.member("instance", id.text)
      json.member("code", kind.code)
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
      .with(.cacheControl, "no-store")
      .with(.wwwAuthenticate, kind.status.code == 401 ? #"Bearer realm="mememe""# : nil)
      .with(.retryAfter, kind.retryAfterSeconds.flatMap { HeaderValue("\($0)") })
    for (name, value) in headers.fields { response.headers[name] = value }
    return response
  }
}

/// One invalid field of the input.
package struct InvalidField: Equatable, Sendable {
  package let field: String
  /// Stable, in kebab case; for programs.
  package let code: String
  /// One sentence; for users.
  package let message: String

  package init(_ field: String, code: String, message: String) {
    (self.field, self.code, self.message) = (field, code, message)
  }
}
