package import Bytes

/// An answer: status, header fields, and the body's bytes.
///
/// `Content-Length`, `Date` and `Connection` are the daemon's; HEAD is answered with the response to GET,
/// from which the daemon leaves out the body, and so it does with the body of what is not modified.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: Bytes

  package init(_ status: Status, headers: Headers = Headers(), body: Bytes = Bytes()) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer with a body of this media type.
  package init(_ status: Status, _ mediaType: HeaderValue, _ body: Bytes) {
    self.init(status, headers: Headers([(.contentType, mediaType)]), body: body)
  }

  /// 204.
  package static var noContent: Response { Response(.noContent) }
}
